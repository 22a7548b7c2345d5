// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Whether this machine lets anybody attach a debugger to a process that is not their child (Yama's `ptrace_scope`).
package enum DebuggerAccess: Sendable, Equatable {
  /// Whoever may signal an extension may debug it, as far as this setting goes.
  case free
  /// Only somebody with `CAP_SYS_PTRACE` over it: 1 and 2.
  ///
  /// Whoever made the user namespace of a session has every capability in it, so that this forbids it to nobody who runs a
  /// session with namespaces; a restricted session has none.
  case privileged(Int)
  /// Nobody, until the machine is started anew: 3.
  case nobody

  /// Where the setting is; it is not there where the kernel has no Yama.
  private static let path = "/proc/sys/kernel/yama/ptrace_scope"

  /// Reads the setting of this machine.
  package static var here: DebuggerAccess {
    let text = (try? FileSystem.open(path, .read).readAll(limit: 64)) ?? nil
    return DebuggerAccess(text.map { String(decoding: $0, as: UTF8.self) })
  }

  /// Understands the setting as it stands in `/proc`; nil: there is none. What is not understood is the strictest.
  package init(_ text: String?) {
    guard let text else {
      self = .free
      return
    }
    self =
      switch Int(text.filter { !$0.isWhitespace }) {
      case 0: .free
      case let scope? where (1...2).contains(scope): .privileged(scope)
      default: .nobody
      }
  }

  /// Why no session can be debugged here, with the mend; nil: it can.
  package var obstacle: String? {
    guard self == .nobody else { return nil }
    return
      "no debugger can attach here: kernel.yama.ptrace_scope is 3, which holds until the machine is started anew; "
      + "set it to 1 where it is set (/etc/sysctl.d), restart the machine, or run without --debug"
  }

  /// What has to be known of a restricted session of this user; nil: nothing.
  package func restrictedNotice(user: UInt32) -> String? {
    guard case .privileged(let scope) = self, user != 0 else { return nil }
    return
      "a restricted session can be debugged by root alone here, for kernel.yama.ptrace_scope is \(scope): put sudo in "
      + "front of the debugger, or set it to 0 (sysctl kernel.yama.ptrace_scope=0)"
  }
}
