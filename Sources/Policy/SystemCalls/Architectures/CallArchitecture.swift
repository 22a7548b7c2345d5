// SPDX-License-Identifier: Apache-2.0

/// An architecture whose calls the tables know: a set of numbers, and how the kernel names it to a filter.
package enum CallArchitecture: String, CaseIterable, Sendable, Hashable {
  /// 64-bit x86.
  case x86 = "x86_64"
  /// 32-bit x86, which a 64-bit kernel also answers.
  case i386 = "i386"
  /// 64-bit x86 with pointers of 32 bits; its numbers have ``x32Bit``.
  case x32 = "x32"
  /// 64-bit ARM.
  case arm64 = "aarch64"
  /// 32-bit ARM with the embedded ABI, which a 64-bit kernel may also answer.
  case arm = "arm"
  /// 64-bit RISC-V.
  case riscv = "riscv64"
  /// 64-bit POWER, low byte first.
  case power = "ppc64"
  /// 64-bit z/Architecture.
  case s390 = "s390x"

  /// The bit that makes a number of x86_64 one of x32. The corresponding constant is `__X32_SYSCALL_BIT`.
  package static let x32Bit: UInt32 = 0x4000_0000

  /// How the kernel names the architecture to a filter (`seccomp_data.arch`); the constant is `AUDIT_ARCH_…`.
  ///
  /// x32 has that of x86_64. Only numbers tell the two apart.
  package var auditNumber: UInt32 {
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

  /// Another number that the kernel gives machines with the same calls: `AUDIT_ARCH_PPC64LE`, beside `AUDIT_ARCH_PPC64`.
  private var otherAuditNumber: UInt32? { self == .power ? 0x8000_0015 : nil }

  /// The architecture of a call, as a filter sees it; nil if the tables do not know it.
  package static func of(auditNumber: UInt32, number: UInt32) -> CallArchitecture? {
    let named = allCases.first { $0.auditNumber == auditNumber || $0.otherAuditNumber == auditNumber }
    return named == .x86 && number & x32Bit != 0 ? .x32 : named
  }

  /// The one that this program was built for.
  package static var native: CallArchitecture {
    #if arch(x86_64)
      .x86
    #elseif arch(arm64)
      .arm64
    #else
      #error("Darkroom runs on x86_64 and aarch64 only")
    #endif
  }

  /// Those whose calls the kernel of this machine may answer, the native one first.
  package static var ofThisMachine: [CallArchitecture] {
    native == .x86 ? [.x86, .i386, .x32] : [.arm64, .arm]
  }

  /// Whether registers, and so arguments, have 64 bits.
  package var hasWideArguments: Bool { self != .i386 && self != .arm }
}
