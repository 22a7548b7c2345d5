// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import JSONText
package import LinuxPrimitives
package import SessionStore

extension SessionMachine {
  /// The session directory was measured, and what the session keeps in files without a name, which is not in `bytes`;
  /// `largest` names one of them in words, and `doubt` is why more of them counts than was seen.
  package mutating func measured(
    bytes: Int,
    files: Int,
    nameless: Int = 0,
    largest: String? = nil,
    doubt: NamelessUse.Doubt? = nil
  ) -> [SessionAction] {
    let (all, overflow) = bytes.addingReportingOverflow(nameless)
    if overflow || all - terms.overshoot > terms.sessionBytes {
      let reason = doubt.map { ": all that came into use on the file system, as \($0.sentence)" } ?? ""
      let example = largest.map { " (\($0))" } ?? ""
      let part = nameless > 0 ? ", \(nameless) of them in files without a name\(example)\(reason)" : ""
      return end(
        .violated(
          .init(.sessionBytes, detail: "\(overflow ? .max : all) bytes of \(terms.sessionBytes)\(part)")
        )
      )
    }
    if files > terms.sessionFiles {
      return end(.violated(.init(.sessionFiles, detail: "\(files) files of \(terms.sessionFiles)")))
    }
    return []
  }

  /// The scratch space of a session was measured that has it on disk.
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

  /// The extension makes more refused calls than can be explained; so many they were.
  package mutating func refusalsFlooded(_ total: Int) -> [SessionAction] {
    end(.violated(.init(.refusals, detail: "\(total) refused calls")))
  }

  /// A limit of all processes together is broken.
  package mutating func exceeded(_ violation: SessionOutcome.Violation) -> [SessionAction] {
    end(.violated(violation))
  }

  /// The app context may have been changed by somebody; what the extension itself has stored is no news to it.
  package mutating func contextChanged(_ context: JSONValue) -> [SessionAction] {
    // Whoever has waited long for a debugger begins with what is stored by then.
    deferredStart?.appContext = context
    guard phase == .running, terms.conversation == .messages, context != knownContext else { return [] }
    knownContext = context
    return [.send(.notification(.contextChanged(context)))]
  }

  /// The extension knows this of the app context.
  package mutating func contextIsKnown(_ context: JSONValue) { knownContext = context }

  /// Somebody signals the host.
  package mutating func hostSignaled(_ signal: Signal, now: UInt64) -> [SessionAction] {
    switch (terms.conversation, signal) {
    case (.silent, .interrupt) where !isUnbegun, (.silent, .quit) where !isUnbegun, (.silent, .windowChanged):
      // The program's own terminal keys: what it does about them is its business.
      return [.signal(signal)]
    default:
      if case .dismissing = phase { return end(.dismissed(.init(by: .hostStopped))) }
      return dismiss(.hostStopped, now: now)
    }
  }

  /// The host itself can't go on with the session.
  package mutating func hostFailed(_ error: SystemCallError) -> [SessionAction] {
    end(.hostFailure(.init(.session, step: error.call, errno: error.errno.name, sentence: "\(error)")))
  }

  /// Space for the hand-over could not be set aside.
  package mutating func reserveRefused(_ error: StoreError) -> [SessionAction] {
    guard error.isFull else { return [] }
    let errno: String? = if case .system(let fault) = error { fault.errno.name } else { nil }
    let sentence = "\(error); the session ends while what it captured can be handed over"
    return end(.hostFailure(.init(step: "reserve", errno: errno, sentence: sentence)))
  }

}
