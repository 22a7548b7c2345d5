// SPDX-License-Identifier: Apache-2.0

internal import CSeccomp
internal import Glibc
package import SandboxPolicy

/// The system call table of libseccomp, with which tests compare ``SystemCallTable``.
package enum LibseccompSystemCalls {
  /// The version of libseccomp, for example `2.5.4`.
  package static var version: String {
    guard let version = seccomp_version()?.pointee else { return "unknown" }
    return "\(version.major).\(version.minor).\(version.micro)"
  }

  /// Returns the number of a call, or `nil` if libseccomp does not know the call or the architecture does not
  /// have it.
  package static func number(of name: String, on architecture: MachineArchitecture) -> Int? {
    number(of: name, token: architecture.auditArchitecture)
  }

  /// Returns the number of a call on an architecture given by its libseccomp token, which can differ from the
  /// kernel's: x32 has `SCMP_ARCH_X32`.
  package static func number(of name: String, token: UInt32) -> Int? {
    let number = seccomp_syscall_resolve_name_arch(token, name)
    return number >= 0 ? Int(number) : nil
  }

  /// Returns the name of a number, or `nil` if libseccomp knows none.
  package static func name(of number: Int, on architecture: MachineArchitecture) -> String? {
    name(of: number, token: architecture.auditArchitecture)
  }

  /// Returns the name of a number on an architecture given by its libseccomp token.
  package static func name(of number: Int, token: UInt32) -> String? {
    guard let text = seccomp_syscall_resolve_num_arch(token, Int32(number)) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
