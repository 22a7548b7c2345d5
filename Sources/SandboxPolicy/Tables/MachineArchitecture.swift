// SPDX-License-Identifier: Apache-2.0

/// A processor architecture that the package runs on.
package enum MachineArchitecture: String, CaseIterable, Sendable, Hashable {
  /// 64-bit x86.
  case x86_64
  /// 64-bit ARM.
  case aarch64

  /// The one that this program was built for.
  package static var native: MachineArchitecture {
    #if arch(x86_64)
      .x86_64
    #elseif arch(arm64)
      .aarch64
    #else
      #error("Darkroom has call tables for x86_64 and aarch64 only")
    #endif
  }

  /// How the kernel names the architecture to a filter (`seccomp_data.arch`); the constant is `AUDIT_ARCH_…`.
  package var auditNumber: UInt32 {
    switch self {
    case .x86_64: 0xC000_003E
    case .aarch64: 0xC000_00B7
    }
  }
}
