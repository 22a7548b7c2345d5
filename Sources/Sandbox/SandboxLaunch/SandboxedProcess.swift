// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives

/// A running session: its init, seen from outside.
///
/// The extension is not this process's child but the session init's. What is held here is the init, by a pidfd; when
/// it ends, everything in the session has ended, whatever it forked: by the kernel with the pid namespace, or by the
/// init where a restricted session has none. If this value or the whole host goes away, the control pipe ends and the
/// init ends the session by itself.
package struct SandboxedProcess: ~Copyable, Sendable {
  /// The session init in the host's pid namespace.
  package let processID: Int32
  /// The session init; readable once every process of the session is gone.
  package let handle: ProcessHandle
  /// Readable once the extension has ended.
  package let status: Descriptor
  private let control: Descriptor
  /// What ends the session's processes.
  private let guardian: Guardian
  /// The extension itself; nil where the launch has sent nothing to the host.
  private let program: ProcessHandle?
  private var refusals: RefusalListener?
  private var learning: LearningListener?
  private var mounts: HeldMounts?
  private var network: SessionNetwork?
  /// Whether the session's network namespace is one that a session before it had (``LaunchPlan/Network/handedOn``).
  package let hasOthersNetwork: Bool
  /// How long the parts of the launch took.
  package var timings: [LaunchTiming] { LaunchTiming.read(moments) }
  /// How long all of them took together, in nanoseconds.
  package var timeOfSteps: UInt64 { LaunchTiming.whole(moments) }
  private let moments: [UInt64]
  /// The extension in the host's pid namespace, where its program was stopped before its first instruction
  /// (``LaunchPlan/Start/stopped``); nil where it runs.
  package let stopped: Int32?
  /// Why the limits of the user namespace could not all be set; nil if they could.
  package let namespaceLimitsFault: Errno?
  /// Why what is shown of the host shares its locks with the host; nil if it does not.
  package let layerFault: Errno?

  init(
    processID: Int32,
    handle: consuming ProcessHandle,
    status: consuming Descriptor,
    control: consuming Descriptor,
    guardian: Guardian,
    program: consuming ProcessHandle?,
    refusals: RefusalListener?,
    learning: LearningListener?,
    mounts: consuming HeldMounts?,
    network: consuming SessionNetwork?,
    moments: [UInt64],
    stopped: Int32?,
    namespaceLimitsFault: Errno?,
    layerFault: Errno?
  ) {
    self.processID = processID
    self.handle = handle
    self.status = status
    self.control = control
    self.guardian = guardian
    self.program = program
    self.refusals = refusals
    self.learning = learning
    self.mounts = mounts
    hasOthersNetwork = network?.isHandedOn ?? false
    self.network = network
    self.moments = moments
    self.stopped = stopped
    self.namespaceLimitsFault = namespaceLimitsFault
    self.layerFault = layerFault
  }

  /// Gives away where the calls wait that the filter refuses; nil where the plan made it refuse them silently.
  ///
  /// Nobody has to listen: once the listener is gone, they fail with `ENOSYS`.
  package mutating func takeRefusals() -> RefusalListener? { refusals.take() }

  /// Gives away where the calls wait that the session is learned from; nil where the plan did not ask for that.
  package mutating func takeLearning() -> LearningListener? { learning.take() }

  /// Sends a signal to the extension itself. One that has ended already is no error.
  package borrowing func signalExtension(_ signal: Signal) throws(SystemCallError) {
    do {
      try control.writeAll([UInt8(truncatingIfNeeded: signal.rawValue)])
    } catch  where error.errno == .brokenPipe {
      return
    }
  }

  /// Ends every process of the session now: with pid 1 of its namespace, or by asking the init to do it.
  package borrowing func kill() throws(SystemCallError) {
    switch guardian {
    case .kernel:
      // Everything else would begin to end only when the end of the init has come to it.
      try? program?.send(.kill)
      try handle.send(.kill)
    case .initAlone:
      do {
        try control.writeAll([UInt8(DARKROOM_END_SESSION)])
      } catch  where error.errno == .brokenPipe {
        return
      }
    }
  }

  /// Waits until no process of the session is left, and says how the extension ended.
  ///
  /// Blocks; call it when ``handle`` is readable or after ``kill()``. The extension's own status is known unless the
  /// session was ended from outside while it ran: then it is `SIGKILL`, which is what it got.
  package consuming func reap() throws(SystemCallError) -> Ending {
    _ = try handle.reap()
    var ended = darkroom_ended()
    let outcome = try withUnsafeMutableBytes(of: &ended) { bytes throws(SystemCallError) in
      try status.read(into: bytes)
    }
    SessionRelease.letGo(mounts.take(), refusals.take())
    network.take()?.handOn()
    guard outcome == .bytes(MemoryLayout<darkroom_ended>.size) else {
      // An init that was killed by somebody has ended nothing, and the extension alone died with it. What is left is in
      // the extension's group, whose number nobody else gets as long as there is such a process.
      if case .initAlone(let group) = guardian { ProcessGroup.kill(group) }
      return Ending(status: .signaled(.kill), userMicroseconds: 0, systemMicroseconds: 0, peakMemoryKiB: 0)
    }
    return Ending(
      status: ExitStatus(waitStatus: ended.status),
      userMicroseconds: ended.user_microseconds,
      systemMicroseconds: ended.system_microseconds,
      peakMemoryKiB: ended.peak_memory
    )
  }
}

extension SandboxedProcess {
  /// What ends the session's processes when its init ends.
  enum Guardian: Sendable {
    /// The kernel, because the init is process 1 of a pid namespace.
    case kernel
    /// The init itself, before it ends; the session is this process group.
    case initAlone(group: Int32)
  }
}

/// How an extension ended, and what it had used.
package struct Ending: Sendable, Hashable {
  /// Its exit code or signal.
  package var status: ExitStatus
  /// Processor time in user mode, of it and the children that it waited for.
  package var userMicroseconds: UInt64
  /// Processor time in the kernel.
  package var systemMicroseconds: UInt64
  /// The largest resident set, in KiB.
  package var peakMemoryKiB: UInt64
}
