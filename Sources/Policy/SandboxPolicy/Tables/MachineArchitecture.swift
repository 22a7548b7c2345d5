// SPDX-License-Identifier: Apache-2.0

/// A processor architecture that Darkroom supports.
package enum MachineArchitecture: String, CaseIterable, Sendable, Hashable {
  /// 64-bit x86.
  case x86 = "x86_64"
  /// 64-bit ARM.
  case arm = "aarch64"

  /// The architecture that this program was built for.
  package static var native: MachineArchitecture {
    #if arch(x86_64)
      .x86
    #elseif arch(arm64)
      .arm
    #else
      #error("Darkroom supports only x86_64 and aarch64")
    #endif
  }

  /// The architecture in the kernel's `seccomp_data.arch`. The corresponding constant is `AUDIT_ARCH_…`.
  package var auditArchitecture: UInt32 {
    switch self {
    case .x86: 0xC000_003E
    case .arm: 0xC000_00B7
    }
  }
}
