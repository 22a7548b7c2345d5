// SPDX-License-Identifier: Apache-2.0

/// An architecture of the system call tables: a set of call numbers, and the kernel's constant for filters.
package enum CallArchitecture: String, CaseIterable, Sendable, Hashable {
  /// 64-bit x86.
  case x86 = "x86_64"
  /// 32-bit x86. A 64-bit kernel can also execute its calls.
  case i386 = "i386"
  /// 64-bit x86 with 32-bit pointers; its numbers have ``x32Bit``.
  case x32 = "x32"
  /// 64-bit ARM.
  case arm64 = "aarch64"
  /// 32-bit ARM with the embedded ABI. A 64-bit kernel can also execute its calls.
  case arm = "arm"
  /// 64-bit RISC-V.
  case riscv = "riscv64"
  /// 64-bit POWER, little endian.
  case power = "ppc64"
  /// 64-bit z/Architecture.
  case s390 = "s390x"

  /// The bit that distinguishes a number of x32 from one of x86_64. The corresponding constant is
  /// `__X32_SYSCALL_BIT`.
  package static let x32Bit: UInt32 = 0x4000_0000

  /// The architecture in the kernel's `seccomp_data.arch`. The corresponding constant is `AUDIT_ARCH_…`.
  ///
  /// x32 has the same constant as x86_64. Only the numbers distinguish the two.
  package var auditArchitecture: UInt32 {
    switch self {
    case .x86, .x32: 0xC000_003E
    case .i386: 0x4000_0003
    case .arm64: 0xC000_00B7
    case .arm: 0x4000_0028
    case .riscv: 0xC000_00F3
    case .power: 0xC000_0015
    case .s390: 0x8000_0016
    }
  }

  /// A second constant for machines with the same call numbers: `AUDIT_ARCH_PPC64`, in addition to
  /// `AUDIT_ARCH_PPC64LE`.
  private var otherAuditNumber: UInt32? { self == .power ? 0x8000_0015 : nil }

  /// Returns the architecture of a call as a filter sees it, or `nil` if the tables do not contain it.
  package static func of(auditArchitecture: UInt32, number: UInt32) -> CallArchitecture? {
    let named = allCases.first {
      $0.auditArchitecture == auditArchitecture || $0.otherAuditNumber == auditArchitecture
    }
    return named == .x86 && number & x32Bit != 0 ? .x32 : named
  }

  /// The architecture that this program was built for.
  package static var native: CallArchitecture {
    #if arch(x86_64)
      .x86
    #elseif arch(arm64)
      .arm64
    #else
      #error("Darkroom supports only x86_64 and aarch64")
    #endif
  }

  /// The architectures that the kernel of this machine can execute, the native one first.
  package static var ofThisMachine: [CallArchitecture] {
    native == .x86 ? [.x86, .i386, .x32] : [.arm64, .arm]
  }

  /// Whether registers, and therefore arguments, have 64 bits.
  package var hasWideArguments: Bool { self != .i386 && self != .arm }
}
