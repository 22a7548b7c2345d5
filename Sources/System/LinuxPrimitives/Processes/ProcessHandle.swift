// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A process named by a descriptor, so that a number used again can never be meant (pidfd_open(2)).
package struct ProcessHandle: ~Copyable, Sendable {
  /// The pidfd; it is readable once the process has ended.
  package let descriptor: Descriptor

  /// Takes over a pidfd.
  package init(owning descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// The process that has a number now (pidfd_open(2)); the caller knows that it is the one that it means.
  package static func open(_ process: Int32) throws(SystemCallError) -> ProcessHandle {
    ProcessHandle(owning: Descriptor(owning: try check("pidfd_open") { pidfd_open(process, 0) }))
  }

  /// Sends a signal (pidfd_send_signal(2)); a process that has ended already is no error.
  package borrowing func send(_ signal: Signal) throws(SystemCallError) {
    let raw = descriptor.rawValue
    do {
      try check("pidfd_send_signal") { pidfd_send_signal(raw, signal.rawValue, nil, 0) }
    } catch  where error.errno == .noSuchProcess {
      return
    }
  }

  /// Waits until the process has ended and takes its status, so that nothing of it is left (waitid(2), `P_PIDFD`).
  ///
  /// Only for children of this process.
  package borrowing func reap() throws(SystemCallError) -> ExitStatus {
    let raw = descriptor.rawValue
    var info = siginfo_t()
    try check("waitid") { waitid(P_PIDFD, id_t(raw), &info, WEXITED) }
    let status = info._sifields._sigchld.si_status
    return info.si_code == CLD_EXITED ? .exited(status) : .signaled(Signal(rawValue: status))
  }
}
