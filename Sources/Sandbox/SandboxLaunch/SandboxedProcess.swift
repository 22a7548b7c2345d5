// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives

/// A running session, represented by its init.
///
/// The extension is a child of the session init, not of this process. This value holds a pidfd of the init.
/// When the init exits, all processes of the session have exited: the kernel terminates them with the PID
/// namespace, or the init terminates them in a restricted session. If this value is destroyed or the host
/// exits, the control pipe ends and the init ends the session.
package struct SandboxedProcess: ~Copyable, Sendable {
  /// The process ID of the session init in the host's PID namespace.
  package let processID: Int32
  /// The session init. The handle is readable when all processes of the session have exited.
  package let handle: ProcessHandle
  /// The status pipe, which is readable when the extension has exited.
  package let status: Descriptor
  private let control: Descriptor
  /// The process or kernel mechanism that terminates the session's processes.
  private let guardian: Guardian
  /// The extension's process, or `nil` if the launch has sent no handle.
  private let program: ProcessHandle?
  private var refusals: RefusalListener?
  private var learning: LearningListener?
  private var mounts: HeldMounts?
  private var network: SessionNetwork?
  /// Whether the session's network namespace was reused from an earlier session
  /// (``LaunchPlan/Network/reused``).
  package let hasReusedNetwork: Bool
  /// The results of the launch.
  package let findings: LaunchFindings

  /// Creates a process from the results of a launch: the host's ends of its channels, and the listener and
  /// handles that it sent, if any.
  init(
    processID: Int32,
    handle: consuming ProcessHandle,
    channels: consuming LaunchChannels,
    guardian: Guardian,
    received: consuming LaunchReportSockets.Received?,
    reports: LaunchPlan.RefusalReports,
    network: consuming SessionNetwork?,
    findings: LaunchFindings
  ) {
    self.processID = processID
    self.handle = handle
    status = channels.status.takeReadEnd()
    control = channels.control.takeWriteEnd()
    self.guardian = guardian
    hasReusedNetwork = network?.isReused ?? false
    self.network = network
    self.findings = findings
    guard let received else {
      program = nil
      return
    }
    let listener = received.listener
    program = received.program
    mounts = received.mounts
    switch reports {
    case .reported: refusals = RefusalListener(owning: listener)
    case .learned: learning = LearningListener(owning: listener)
    case .silent: break
    }
  }

  /// Transfers the listener for refused calls to the caller, or returns `nil` if calls are refused without
  /// reporting.
  ///
  /// The listener is optional: when it is closed, refused calls fail with `ENOSYS`.
  package mutating func takeRefusals() -> RefusalListener? { refusals.take() }

  /// Transfers the listener of a learning session to the caller, or returns `nil` for other sessions.
  package mutating func takeLearning() -> LearningListener? { learning.take() }

  /// Sends a signal to the extension. An extension that has exited is not an error.
  package borrowing func signalExtension(_ signal: Signal) throws(SystemCallError) {
    do {
      try control.writeAll([UInt8(truncatingIfNeeded: signal.rawValue)])
    } catch  where error.errno == .brokenPipe {
      return
    }
  }

  /// Terminates every process of the session: with PID 1 of its namespace, or by a command to the init.
  package borrowing func kill() throws(SystemCallError) {
    switch guardian {
    case .kernel:
      // The other processes would otherwise start to exit only when the init has exited.
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

  /// Waits until all processes of the session have exited, and returns the extension's exit status.
  ///
  /// Blocks. Call it when ``handle`` is readable or after ``kill()``. If the session was killed from outside
  /// while the extension ran, the status is `SIGKILL`.
  package consuming func reap() throws(SystemCallError) -> ExitReport {
    _ = try handle.reap()
    var ended = darkroom_exit_report()
    let outcome = try withUnsafeMutableBytes(of: &ended) { bytes throws(SystemCallError) in
      try status.read(into: bytes)
    }
    SessionCleanup.release(mounts.take(), refusals.take())
    network.take()?.makeAvailable()
    guard outcome == .bytes(MemoryLayout<darkroom_exit_report>.size) else {
      // An init that was killed by another process has terminated only the extension. The other processes are
      // in the extension's process group, whose ID is not reused while one of them exists.
      if case .initAlone(let group) = guardian { ProcessGroup.kill(group) }
      return ExitReport(
        status: .signaled(.kill),
        userMicroseconds: 0,
        systemMicroseconds: 0,
        peakMemoryKiB: 0
      )
    }
    return ExitReport(
      status: ExitStatus(waitStatus: ended.status),
      userMicroseconds: ended.user_microseconds,
      systemMicroseconds: ended.system_microseconds,
      peakMemoryKiB: ended.peak_memory
    )
  }
}

extension SandboxedProcess {
  /// The mechanism that terminates the session's processes with the init.
  enum Guardian: Sendable {
    /// The kernel, because the init is PID 1 of a PID namespace.
    case kernel
    /// The init, before it exits. The session is this process group.
    case initAlone(group: Int32)
  }
}

/// The exit status and resource use of an extension.
package struct ExitReport: Sendable, Hashable {
  /// The exit code or signal.
  package var status: ExitStatus
  /// The CPU time in user mode, including reaped children.
  package var userMicroseconds: UInt64
  /// The CPU time in the kernel, including reaped children.
  package var systemMicroseconds: UInt64
  /// The maximum resident set size, in KiB.
  package var peakMemoryKiB: UInt64
}
