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
    let number = seccomp_syscall_resolve_name_arch(architecture.auditNumber, name)
    return number >= 0 ? Int(number) : nil
  }

  /// The name of a number; nil if the library knows none.
  package static func name(of number: Int, on architecture: MachineArchitecture) -> String? {
    guard let text = seccomp_syscall_resolve_num_arch(architecture.auditNumber, Int32(number)) else {
      return nil
    }
    defer { free(text) }
    return String(cString: text)
  }
}
