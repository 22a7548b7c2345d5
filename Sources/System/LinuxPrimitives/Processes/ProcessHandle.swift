// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A process identified by a descriptor, which never refers to another process if the PID is reused
/// (pidfd_open(2)).
package struct ProcessHandle: ~Copyable, Sendable {
  /// The pidfd, which is readable when the process has exited.
  package let descriptor: Descriptor

  /// Takes ownership of a pidfd.
  package init(owning descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// Opens the process that has a PID now (pidfd_open(2)). The caller must know that it is the intended
  /// process.
  package static func open(_ process: Int32) throws(SystemCallError) -> ProcessHandle {
    ProcessHandle(owning: Descriptor(owning: try check("pidfd_open") { pidfd_open(process, 0) }))
  }

  /// Opens a child process that this process has just created.
  ///
  /// If this fails, the child is killed and reaped, because the caller could not wait for it.
  ///
  /// - Parameters:
  ///   - process: The PID of the child.
  ///   - target: The PID to kill, or the negative ID of the child's process group (kill(2)).
  /// - Returns: The handle of the child.
  /// - Throws: The error of pidfd_open(2).
  static func openChild(_ process: Int32, orKill target: Int32) throws(SystemCallError) -> ProcessHandle {
    do { return try open(process) } catch {
      kill(target, SIGKILL)
      waitpid(process, nil, 0)
      throw error
    }
  }

  /// Sends a signal (pidfd_send_signal(2)). A process that has exited is not an error.
  package borrowing func send(_ signal: Signal) throws(SystemCallError) {
    let raw = descriptor.rawValue
    do {
      try check("pidfd_send_signal") { pidfd_send_signal(raw, signal.rawValue, nil, 0) }
    } catch  where error.errno == .noSuchProcess {
      return
    }
  }

  /// Waits until the process has exited and reaps it (waitid(2), `P_PIDFD`). The process must be a child of
  /// this process.
  package borrowing func reap() throws(SystemCallError) -> ExitStatus {
    let raw = descriptor.rawValue
    var info = siginfo_t()
    try check("waitid") { waitid(P_PIDFD, id_t(raw), &info, WEXITED) }
    let status = info._sifields._sigchld.si_status
    return info.si_code == CLD_EXITED ? .exited(status) : .signaled(Signal(rawValue: status))
  }
}
