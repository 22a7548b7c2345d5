// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import LinuxPrimitives
package import SessionStore

extension SessionMachine {
  /// Returns the outcome of the session for an exit status of the extension.
  package func outcome(_ status: ExitStatus) -> SessionOutcome {
    switch (cause, status) {
    case (.dismissed(let dismissal)?, _):
      return .dismissed(.init(by: dismissal.by, ending: dismissal.ending ?? ending(status)))
    case (let cause?, _): return cause
    case (nil, .exited(0)) where phase == .starting:
      return .protocolViolation(.init(sentence: Self.exitedBeforeReply))
    case (nil, .exited(let code)): return .completed(exitCode: code)
    case (nil, .signaled(.badSystemCall)): return .violated(.init(.systemCall, detail: nil))
    case (nil, .signaled(.fileSizeExceeded)): return .violated(.init(.fileSize, detail: nil))
    case (nil, .signaled(.processorTimeExceeded)): return .violated(.init(.processorTime, detail: nil))
    case (nil, .signaled(let signal)): return .signaled(signal)
    }
  }

  /// Returns how a dismissed extension exited, or `nil` if the host killed it.
  private func ending(_ status: ExitStatus) -> SessionOutcome.Ending? {
    switch status {
    // An extension that exits before the kill signal arrives has its own ending.
    case .signaled(.kill) where phase == .killed: nil
    case .signaled(.terminate) where hasSentTermination: .requested(.terminate)
    case .signaled(let signal): .signaled(signal)
    case .exited(let code): .exited(code)
    }
  }

  private static let exitedBeforeReply =
    "the program exited before it replied to session/start; a program without messages needs \"protocol\": \"none\" in "
    + "extension.json"
}

extension SessionOutcome.Dismisser {
  /// The reason that is reported to the extension.
  var notifiedReason: ExtensionProtocol.DismissalReason {
    switch self {
    case .user, .extension: .user
    case .hostStopped, .hostDied: .host
    case .lockChanged: .lock
    case .applicationOpened: .applicationOpened
    case .idle: .idle
    case .powerKey: .powerKey
    }
  }
}
