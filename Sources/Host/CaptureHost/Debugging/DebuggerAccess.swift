// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The restriction that Yama's `ptrace_scope` puts on attaching a debugger to a process that is not a child.
package enum DebuggerAccess: Sendable, Equatable {
  /// No restriction by Yama: a process that may signal an extension may also trace it.
  case unrestricted
  /// Only a process with `CAP_SYS_PTRACE` over the extension may attach (`ptrace_scope` 1 and 2).
  ///
  /// The creator of a session's user namespace has every capability in that namespace and can attach. A
  /// restricted session has no user namespace, so only a privileged user can attach to it.
  case privileged(Int)
  /// No process may attach until the machine is restarted (`ptrace_scope` 3).
  case disabled

  /// The path of the setting. The file does not exist on a kernel without Yama.
  private static let path = "/proc/sys/kernel/yama/ptrace_scope"

  /// The current setting of this machine.
  package static var current: DebuggerAccess {
    let text = (try? FileSystem.open(path, .read).readAll(limit: 64)) ?? nil
    return DebuggerAccess(text.map { String(decoding: $0, as: UTF8.self) })
  }

  /// Creates the value from the text of the file in `/proc`, or from `nil` if the file does not exist.
  /// Unknown text counts as the strictest setting.
  package init(_ text: String?) {
    guard let text else {
      self = .unrestricted
      return
    }
    self =
      switch Int(text.filter { !$0.isWhitespace }) {
      case 0: .unrestricted
      case let scope? where (1...2).contains(scope): .privileged(scope)
      default: .disabled
      }
  }

  /// The reason why no session can be debugged on this machine, with a fix, or `nil` if sessions can be
  /// debugged.
  package var obstacle: String? {
    guard self == .disabled else { return nil }
    return
      "no debugger can attach: kernel.yama.ptrace_scope is 3 until the next reboot; set it to 1 in /etc/sysctl.d and "
      + "reboot, or run without a debugger"
  }

  /// Returns a notice about debugging a restricted session of this user, or `nil` if no notice is needed.
  package func restrictedNotice(user: UInt32) -> String? {
    guard case .privileged(let scope) = self, user != 0 else { return nil }
    return
      "only root can debug a restricted session, because kernel.yama.ptrace_scope is \(scope); run the debugger with "
      + "sudo, or set it to 0 (sysctl kernel.yama.ptrace_scope=0)"
  }
}
