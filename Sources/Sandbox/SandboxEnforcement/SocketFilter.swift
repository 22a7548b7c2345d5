// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The filter that denies sockets in a session without a network namespace, regardless of the policy.
///
/// The filter is independent of the policy's filter: it is neither derived from a policy nor compiled by libseccomp,
/// and it is installed by the session init. A mistake in a policy or in the compiler therefore opens no socket. Both
/// filters rely on the kernel's seccomp.
///
/// Denied calls are not executed and fail with `ENOSYS` (`SECCOMP_RET_TRACE` without a tracer). In seccomp(2), the
/// notification of the policy's filter takes precedence over this result, so that refused calls are reported to the
/// host. A tracer could execute the call nevertheless, so the filter also denies ptrace(2): no process of the session
/// can trace another one.
package enum SocketFilter {
  /// The program for the native architecture.
  package static let program: [UInt8] = part(.native, .native).bytes

  /// The calls that are denied with any arguments.
  ///
  /// They create, connect or accept sockets, send datagrams to addresses in memory, execute other calls
  /// asynchronously, or take sockets or control from other processes.
  static let denied = [
    "socket", "connect", "bind", "listen", "accept", "accept4", "sendmmsg", "io_uring_setup",
    "io_uring_enter", "io_uring_register", "pidfd_getfd", "ptrace",
  ]

  /// The corresponding constant is `AF_UNIX`.
  private static let unixFamily: UInt32 = 1
  /// The bits of a socket type without flags. The corresponding constant is `SOCK_TYPE_MASK`.
  private static let typeMask: UInt32 = 0xF
  /// The types of pairs whose messages cannot be sent to an address. The corresponding constants are `SOCK_STREAM` and
  /// `SOCK_SEQPACKET`.
  private static let connectedTypes: [UInt32] = [1, 5]

  /// Returns the instructions for one architecture.
  static func part(_ table: SystemCallTable, _ architecture: MachineArchitecture) -> FilterAssembly {
    var part = FilterAssembly()
    part.load(.architecture)
    part.jump(.equal, architecture.auditArchitecture, true: 1, false: 0)
    part.finish(.killProcess)
    part.load(.number)
    part.append(FilterPrelude.x32Calls(architecture))
    for call in denied {
      guard let number = table.numbers[call] else { continue }
      part.jump(.equal, UInt32(number), true: 0, false: 1)
      part.finish(.trace)
    }
    for (call, check) in [("socketpair", pairCheck), ("sendto", addressCheck)] {
      guard let number = table.numbers[call] else { continue }
      part.jump(.equal, UInt32(number), true: 0, false: UInt8(check.count))
      part.append(check)
    }
    part.finish(.allow)
    return part
  }

  /// The instructions that allow only connected pairs.
  private static var pairCheck: FilterAssembly {
    var part = FilterAssembly()
    part.load(.argument(0))
    part.jump(.equal, unixFamily, true: 1, false: 0)
    part.finish(.trace)
    part.load(.argument(1))
    part.mask(typeMask)
    for type in connectedTypes {
      part.jump(.equal, type, true: 0, false: 1)
      part.finish(.allow)
    }
    part.finish(.trace)
    return part
  }

  /// The instructions that allow only messages without an address: the length of the address, an `int`, is 0.
  private static var addressCheck: FilterAssembly {
    var part = FilterAssembly()
    part.load(.argument(5))
    part.jump(.equal, 0, true: 1, false: 0)
    part.finish(.trace)
    part.finish(.allow)
    return part
  }
}
