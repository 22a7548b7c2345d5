// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives

/// Where the calls of a session wait that is learned from (seccomp_unotify(2)).
///
/// It is the one place where a call can be let through (the corresponding flag is
/// `SECCOMP_USER_NOTIF_FLAG_CONTINUE`), and only a plan whose refusals are `learned` gives it. What is decided here
/// decides nothing about safety: calls that no policy can allow are refused by another filter of the session
/// (`LearningCeiling`), and the kernel brings none of them here. All others somebody could have allowed by writing a
/// policy, whatever their arguments point to.
package final class LearningListener: Sendable {
  /// The same place, by which calls are waited for.
  private let waiting: RefusalListener

  /// Takes over what the kernel has given.
  init(owning descriptor: consuming Descriptor) { waiting = RefusalListener(owning: descriptor) }

  /// What becomes of a call.
  package enum Answer: Sendable, Hashable {
    /// It is made, as if there were no filter.
    case letThrough
    /// It fails.
    case refuse(Errno)
    /// The host has done what it asks for, or tried to.
    case performed(RefusalListener.Performance)
  }

  /// Answers every call until no process of the session is left.
  ///
  /// Blocks, so call it on a plain thread. Each call waits for `answer`.
  package func serve(
    _ answer: (RefusalListener.WaitingCall, RefusalListener) -> Answer
  ) throws(SystemCallError) {
    while let call = try waiting.next() {
      switch answer(call, waiting) {
      // One that has been withdrawn is no error: a signal has ended it.
      case .letThrough: _ = darkroom_let_through(waiting.descriptor.rawValue, call.cookie)
      case .refuse(let errno): waiting.refuse(call, with: errno)
      case .performed(let performance): waiting.answer(call, with: performance)
      }
    }
  }
}
