// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives

/// Receives the refused calls of a learning session (seccomp_unotify(2)).
///
/// Only this type can continue a call (`SECCOMP_USER_NOTIF_FLAG_CONTINUE`), and only a plan with `learned`
/// refusals creates it. Its decisions do not affect the security of the host. Another filter of the session
/// refuses calls that no policy can allow (`LearningCoreFilter`), and the kernel does not report these here. All
/// other calls could be allowed by a policy, with any arguments.
package final class LearningListener: Sendable {
  /// The listener, by which calls are received.
  private let waiting: RefusalListener

  /// Takes ownership of a listener descriptor.
  init(owning descriptor: consuming Descriptor) { waiting = RefusalListener(owning: descriptor) }

  /// The decision about a call.
  package enum Answer: Sendable, Hashable {
    /// The call is made, as if there were no filter.
    case allow
    /// The call fails with an error.
    case refuse(Errno)
    /// The host has performed the call, or has tried to.
    case performed(RefusalListener.Emulation)
  }

  /// Answers every call until no process of the session is left.
  ///
  /// Blocks, so call it on a plain thread. Each call waits for `answer`.
  package func serve(
    _ answer: (RefusalListener.WaitingCall, RefusalListener) -> Answer
  ) throws(SystemCallError) {
    while let call = try waiting.next() {
      switch answer(call, waiting) {
      // A call that a signal has withdrawn is not an error.
      case .allow: _ = darkroom_continue_call(waiting.descriptor.rawValue, call.cookie)
      case .refuse(let errno): waiting.refuse(call, with: errno)
      case .performed(let performance): waiting.answer(call, with: performance)
      }
    }
  }
}
