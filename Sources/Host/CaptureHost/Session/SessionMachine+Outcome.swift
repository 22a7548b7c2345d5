// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import LinuxPrimitives
package import SessionStore

extension SessionMachine {
  /// How the session ended, given how the extension did.
  package func outcome(_ status: ExitStatus) -> SessionOutcome {
    switch (cause, status) {
    case (.dismissed(let dismissal)?, _):
      return .dismissed(.init(by: dismissal.by, ending: dismissal.ending ?? ending(status)))
    case (let cause?, _): return cause
    case (nil, .exited(0)) where phase == .starting:
      return .protocolViolation(.init(sentence: Self.endedUnheard))
    case (nil, .exited(let code)): return .completed(exitCode: code)
    case (nil, .signaled(.badSystemCall)): return .violated(.init(.systemCall, detail: nil))
    case (nil, .signaled(.fileSizeExceeded)): return .violated(.init(.fileSize, detail: nil))
    case (nil, .signaled(.processorTimeExceeded)): return .violated(.init(.processorTime, detail: nil))
    case (nil, .signaled(let signal)): return .signaled(signal)
    }
  }

  /// How an extension ended that had been told to.
  private func ending(_ status: ExitStatus) -> SessionOutcome.Ending? {
    switch status {
    // Whoever ends before the kill arrives has an ending of its own.
    case .signaled(.kill) where phase == .killed: nil
    case .signaled(.terminate) where hasAsked: .asked(.terminate)
    case .signaled(let signal): .signaled(signal)
    case .exited(let code): .exited(code)
    }
  }

  private static let endedUnheard =
    "it ended before it had answered session/start; a program without messages needs \"protocol\": \"none\" in its "
    + "extension.json"
}

extension SessionOutcome.Dismisser {
  /// The reason as the extension is told it.
  var told: ExtensionProtocol.DismissalReason {
    switch self {
    case .person, .extension: .person
    case .hostStopped, .hostDied: .host
    case .lockChanged: .lock
    case .applicationOpened: .applicationOpened
    case .idle: .idle
    case .powerKey: .powerKey
    }
  }
}
