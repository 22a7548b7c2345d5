// SPDX-License-Identifier: Apache-2.0

internal import CSeccomp
internal import Glibc
package import SandboxPolicy

/// The system calls as libseccomp knows them: the second opinion on ``SystemCallTable``.
package enum LibrarySystemCalls {
  /// The version of the library, for example `2.5.4`.
  package static var version: String {
    guard let version = seccomp_version()?.pointee else { return "unknown" }
    return "\(version.major).\(version.minor).\(version.micro)"
  }

  /// The number of a call; nil if the library does not know it, or that architecture has no such call.
  package static func number(of name: String, on architecture: MachineArchitecture) -> Int? {
    number(of: name, token: architecture.auditNumber)
  }

  /// The number of a call on an architecture that the library has another token for than the kernel: x32's is
  /// `SCMP_ARCH_X32`.
  package static func number(of name: String, token: UInt32) -> Int? {
    let number = seccomp_syscall_resolve_name_arch(token, name)
    return number >= 0 ? Int(number) : nil
  }

  /// The name of a number; nil if the library knows none.
  package static func name(of number: Int, on architecture: MachineArchitecture) -> String? {
    name(of: number, token: architecture.auditNumber)
  }

  /// The name of a number on an architecture with such a token.
  package static func name(of number: Int, token: UInt32) -> String? {
    guard let text = seccomp_syscall_resolve_num_arch(token, Int32(number)) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
