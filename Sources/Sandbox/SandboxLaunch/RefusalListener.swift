// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives

/// Receives the calls of a session that its filter refuses (seccomp_unotify(2)).
///
/// No call is ever continued: each call is refused, or the host performs it and returns the result. The
/// memory that arguments point to can change between any two reads, so a call must not be continued because
/// of its arguments. The corresponding flag, `SECCOMP_USER_NOTIF_FLAG_CONTINUE`, is used only by
/// ``LearningListener``, which requires a special plan.
package final class RefusalListener: Sendable {
  /// The listener descriptor.
  let descriptor: Descriptor

  init(owning descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// A refused call that waits for a response.
  package struct WaitingCall: Sendable, Hashable {
    /// The kernel's ID of the notification.
    var cookie: UInt64
    /// The thread that made the call, in this process's PID namespace.
    package var thread: Int32
    /// The system call number.
    package var number: Int
    /// The six arguments, whether or not they are used.
    package var arguments: [UInt64]
  }

  /// Waits for the next call. Returns `nil` when no process of the session is left. Blocks, so call it on a
  /// plain thread.
  package func next() throws(SystemCallError) -> WaitingCall? {
    while true {
      let found = try Poller.wait([(descriptor.rawValue, .readable)])
      guard found[0].contains(.readable) else { return nil }
      var refused = darkroom_refused()
      switch -darkroom_next_refused(descriptor.rawValue, &refused) {
      case 0:
        let arguments = withUnsafeBytes(of: refused.arguments) { Array($0.bindMemory(to: UInt64.self)) }
        return WaitingCall(
          cookie: refused.cookie,
          thread: refused.thread,
          number: Int(refused.number),
          arguments: arguments
        )
      // A signal has interrupted the call or terminated the thread.
      case Errno.noSuchFile.rawValue, Errno.interrupted.rawValue: continue
      case let error: throw SystemCallError("ioctl SECCOMP_IOCTL_NOTIF_RECV", errno: Errno(rawValue: error))
      }
    }
  }

  /// Returns whether the call still waits. Data that was read from its thread before then belongs to this
  /// thread, and not to another with a reused ID.
  package func isWaiting(_ call: WaitingCall) -> Bool {
    darkroom_is_waiting(descriptor.rawValue, call.cookie) != 0
  }

  /// Makes the call fail with `EPERM`. A withdrawn call is not an error.
  package func refuse(_ call: WaitingCall) { refuse(call, with: .notPermitted) }

  /// Makes the call fail with an error.
  func refuse(_ call: WaitingCall, with errno: Errno) {
    _ = darkroom_answer(descriptor.rawValue, call.cookie, errno.rawValue)
  }

  /// The result of a call that the host performed.
  package enum Emulation: Sendable, Hashable {
    /// The host has performed the call.
    case done
    /// The call failed.
    case failed(Errno)
  }

  /// Makes the call return the host's result. The kernel does not make the call.
  func answer(_ call: WaitingCall, with performance: Emulation) {
    switch performance {
    case .done: _ = darkroom_answer(descriptor.rawValue, call.cookie, 0)
    case .failed(let errno): refuse(call, with: errno)
    }
  }
}

extension RefusalListener {
  /// Answers every call until no process of the session is left.
  ///
  /// `perform` may perform the call; if it returns `nil`, the call is refused. `examine` is called before the
  /// refusal, while the thread waits, and `report` after it, with the result of `examine`.
  ///
  /// Blocks, so call it on a plain thread. The session waits only for `perform` and `examine`.
  package func serve<Examined>(
    emulating perform: (WaitingCall) -> Emulation?,
    _ examine: (WaitingCall) -> Examined,
    _ report: (WaitingCall, Examined) -> Void
  ) throws(SystemCallError) {
    while let call = try next() {
      if let performance = perform(call) {
        answer(call, with: performance)
        continue
      }
      let examined = examine(call)
      let isStillThere = isWaiting(call)
      refuse(call)
      if isStillThere { report(call, examined) }
    }
  }

  /// Refuses every call until no process of the session is left, as ``serve(emulating:_:_:)`` does.
  package func serve<Examined>(
    _ examine: (WaitingCall) -> Examined,
    _ report: (WaitingCall, Examined) -> Void
  ) throws(SystemCallError) {
    try serve(emulating: { _ in nil }, examine, report)
  }

  /// Refuses every call on a separate thread, which exits with the session, without reporting the calls.
  package func refuseAll() throws(SystemCallError) -> PlainThread {
    try PlainThread.start(name: "refusals") { try? self.serve({ _ in }, { _, _ in }) }
  }
}
