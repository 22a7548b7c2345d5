// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import JSONText
package import LinuxPrimitives
package import SessionStore

extension SessionMachine {
  /// Handles a measurement of the session directory.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the files with names.
  ///   - files: The number of entries.
  ///   - nameless: The bytes of unlinked files.
  ///   - largest: A description of the largest unlinked file.
  ///   - doubt: The reason why more unlinked bytes count than were measured.
  /// - Returns: The actions to perform.
  package mutating func measured(
    bytes: Int,
    files: Int,
    nameless: Int = 0,
    largest: String? = nil,
    doubt: UnlinkedFileUsage.Uncertainty? = nil
  ) -> [SessionAction] {
    let (all, overflow) = bytes.addingReportingOverflow(nameless)
    if overflow || all - terms.content.overshoot > terms.content.bytes {
      let reason = doubt.map { ", estimated from the file system because \($0.sentence)" } ?? ""
      let example = largest.map { " (\($0))" } ?? ""
      let part = nameless > 0 ? ", \(nameless) of them in unlinked files\(example)\(reason)" : ""
      return end(
        .violated(
          .init(.sessionBytes, detail: "\(overflow ? .max : all) bytes of \(terms.content.bytes)\(part)")
        )
      )
    }
    if files > terms.content.files {
      return end(.violated(.init(.sessionFiles, detail: "\(files) files of \(terms.content.files)")))
    }
    return []
  }

  /// Handles a measurement of the scratch space on disk.
  package mutating func measuredScratch(bytes: Int, files: Int, of space: ScratchSpace) -> [SessionAction] {
    if bytes > space.bytes {
      return end(.violated(.init(.sessionBytes, detail: "\(bytes) bytes in a container of \(space.bytes)")))
    }
    if files > ScratchSpace.files {
      return end(
        .violated(.init(.sessionFiles, detail: "\(files) files in a container of \(ScratchSpace.files)"))
      )
    }
    return []
  }

  /// Handles a flood of refused calls. `total` is their number.
  package mutating func refusalsFlooded(_ total: Int) -> [SessionAction] {
    end(.violated(.init(.refusals, detail: "\(total) refused calls")))
  }

  /// Handles an exceeded limit of the process tree.
  package mutating func exceeded(_ violation: SessionOutcome.Violation) -> [SessionAction] {
    end(.violated(violation))
  }

  /// Handles a possible change of the app context. The extension is not notified of a context that it stored
  /// itself.
  package mutating func contextChanged(_ context: JSONValue) -> [SessionAction] {
    // An extension that waited for a debugger starts with the current context.
    deferredStart?.appContext = context
    guard phase == .running, terms.conversation == .messages, context != knownContext else { return [] }
    knownContext = context
    return [.send(.notification(.contextChanged(context)))]
  }

  /// Records the app context that the extension knows.
  package mutating func contextIsKnown(_ context: JSONValue) { knownContext = context }

  /// Handles a signal to the host.
  package mutating func hostSignaled(_ signal: Signal, now: UInt64) -> [SessionAction] {
    switch (terms.conversation, signal) {
    case (.silent, .interrupt) where !isAwaitingDebugger, (.silent, .quit) where !isAwaitingDebugger,
      (.silent, .windowChanged):
      // Terminal signals are passed to the program, which decides their effect.
      return [.signal(signal)]
    default:
      if case .dismissing = phase { return end(.dismissed(.init(by: .hostStopped))) }
      return dismiss(.hostStopped, now: now)
    }
  }

  /// Handles a failure of the host.
  package mutating func hostFailed(_ error: SystemCallError) -> [SessionAction] {
    end(.hostFailure(.init(.session, step: error.call, errno: error.errno.name, sentence: "\(error)")))
  }

  /// Handles a failure to reserve space for the migration.
  package mutating func reserveRefused(_ error: StoreError) -> [SessionAction] {
    guard error.isFull else { return [] }
    let errno: String? = if case .system(let fault) = error { fault.errno.name } else { nil }
    let sentence = "\(error); the session was terminated while its content can still be migrated"
    return end(.hostFailure(.init(step: "reserve", errno: errno, sentence: sentence)))
  }

}
