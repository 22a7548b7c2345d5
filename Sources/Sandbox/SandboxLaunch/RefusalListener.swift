// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives

/// Where the calls of one session wait that its filter refuses (seccomp_unotify(2)).
///
/// No call is ever made: each is refused, or the host does what it asks for and says so. What a call's arguments pointed to can
/// have changed between any two looks, so no call is ever let through on the strength of them (the corresponding flag, `SECCOMP_USER_NOTIF_FLAG_CONTINUE`,
/// is not used here; ``LearningListener`` is another type, which only a plan that says so gives).
package final class RefusalListener: Sendable {
  /// Where the kernel gives and takes.
  let descriptor: Descriptor

  init(owning descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// A call that waits.
  package struct WaitingCall: Sendable, Hashable {
    /// The kernel's name for this one wait.
    var cookie: UInt64
    /// The thread that made it, in this process's pid namespace.
    package var thread: Int32
    /// The call's number.
    package var number: Int
    /// Its six arguments, used or not.
    package var arguments: [UInt64]
  }

  /// Waits for the next call; nil once no process of the session is left. Blocks, so call it on a plain thread.
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
      // A signal has taken the thread out of the call, or ended it.
      case Errno.noSuchFile.rawValue, Errno.interrupted.rawValue: continue
      case let error: throw SystemCallError("ioctl SECCOMP_IOCTL_NOTIF_RECV", errno: Errno(rawValue: error))
      }
    }
  }

  /// Whether the call still waits: what was read of its thread before is then of that thread, and not of another that
  /// has got its number since.
  package func isWaiting(_ call: WaitingCall) -> Bool {
    darkroom_is_waiting(descriptor.rawValue, call.cookie) != 0
  }

  /// Lets the call fail with `EPERM`. One that has been withdrawn is no error.
  package func refuse(_ call: WaitingCall) { refuse(call, with: .notPermitted) }

  /// Lets the call fail.
  func refuse(_ call: WaitingCall, with errno: Errno) {
    _ = darkroom_answer(descriptor.rawValue, call.cookie, errno.rawValue)
  }

  /// What the host did in the place of a call.
  package enum Performance: Sendable, Hashable {
    /// What the call asks for is done.
    case done
    /// It could not be done.
    case failed(Errno)
  }

  /// Lets the call return what the host's own attempt came to; the kernel does not make the call.
  func answer(_ call: WaitingCall, with performance: Performance) {
    switch performance {
    case .done: _ = darkroom_answer(descriptor.rawValue, call.cookie, 0)
    case .failed(let errno): refuse(call, with: errno)
    }
  }
}

extension RefusalListener {
  /// Answers every call until no process of the session is left. `perform` may do what the call asks for; where it returns
  /// `nil`, the call is refused. `examine` sees each of these before it is refused, while its thread waits; `report` after that,
  /// with what `examine` gave.
  ///
  /// Blocks, so call it on a plain thread. The session waits for nothing but `perform` and `examine`.
  package func serve<Examined>(
    performing perform: (WaitingCall) -> Performance?,
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

  /// Refuses every call until no process of the session is left, as ``serve(performing:_:_:)``.
  package func serve<Examined>(
    _ examine: (WaitingCall) -> Examined,
    _ report: (WaitingCall, Examined) -> Void
  ) throws(SystemCallError) {
    try serve(performing: { _ in nil }, examine, report)
  }

  /// Refuses every call on a thread of its own, which ends with the session, and tells nobody.
  package func refuseAll() throws(SystemCallError) -> PlainThread {
    try PlainThread.start(name: "refusals") { try? self.serve({ _ in }, { _, _ in }) }
  }
}
