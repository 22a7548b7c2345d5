// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The instructions in front of libseccomp's: they deal with the numbers that libseccomp has no rule for.
///
/// Jumps are relative, so that the program behind needs no change.
struct FilterPrelude {
  /// The program so far.
  private(set) var bytes: [UInt8] = []

  /// The corresponding constant is `SECCOMP_RET_KILL_PROCESS`.
  private static let killProcess: UInt32 = 0x8000_0000
  /// The corresponding value is `SECCOMP_RET_ERRNO | ENOSYS`.
  private static let notImplemented: UInt32 = 0x0005_0000 | 38
  /// The bit that makes a number one of x32. The corresponding constant is `__X32_SYSCALL_BIT`.
  private static let x32Bit: UInt32 = 0x4000_0000

  /// Where the kernel puts what a filter looks at (`struct seccomp_data`).
  private enum Field: UInt32 {
    /// The call's number.
    case number = 0
    /// The architecture.
    case architecture = 4
  }

  /// Makes the instructions for one architecture.
  init(table: SystemCallTable, architecture: MachineArchitecture) {
    load(.architecture)
    jump(.equal, architecture.auditNumber, true: 1, false: 0)
    finish(Self.killProcess)
    load(.number)
    let beyond = numbersBeyondTable(architecture)
    jump(.greater, UInt32(table.newest), true: 0, false: UInt8(beyond.bytes.count / 8))
    bytes += beyond.bytes
    for gap in table.gaps {
      jump(.greaterOrEqual, UInt32(gap.lowerBound), true: 0, false: 2)
      jump(.greater, UInt32(gap.upperBound), true: 1, false: 0)
      finish(Self.notImplemented)
    }
  }

  /// Nothing yet.
  private init() {}

  /// What happens to numbers above the newest known one.
  private func numbersBeyondTable(_ architecture: MachineArchitecture) -> FilterPrelude {
    var part = FilterPrelude()
    if architecture == .x86 {
      // Minus one is what a tracer leaves behind for a call that is to be skipped; it is no x32 call.
      part.jump(.equal, .max, true: 2, false: 0)
      part.jump(.greaterOrEqual, Self.x32Bit, true: 0, false: 1)
      part.finish(Self.killProcess)
    }
    part.finish(Self.notImplemented)
    return part
  }

  /// The comparisons of the accumulator with a constant.
  private enum Comparison: UInt16 {
    /// The corresponding code is `BPF_JMP | BPF_JEQ | BPF_K`.
    case equal = 0x15
    /// The corresponding code is `BPF_JMP | BPF_JGT | BPF_K`.
    case greater = 0x25
    /// The corresponding code is `BPF_JMP | BPF_JGE | BPF_K`.
    case greaterOrEqual = 0x35
  }

  /// The corresponding code is `BPF_LD | BPF_W | BPF_ABS`.
  private mutating func load(_ field: Field) { append(0x20, 0, 0, field.rawValue) }

  /// Goes on so many instructions further.
  private mutating func jump(_ how: Comparison, _ value: UInt32, true yes: UInt8, false no: UInt8) {
    append(how.rawValue, yes, no, value)
  }

  /// The corresponding code is `BPF_RET | BPF_K`.
  private mutating func finish(_ action: UInt32) { append(0x06, 0, 0, action) }

  /// Appends one `struct sock_filter`; both architectures store the low byte first.
  private mutating func append(_ code: UInt16, _ yes: UInt8, _ no: UInt8, _ value: UInt32) {
    withUnsafeBytes(of: code.littleEndian) { bytes += $0 }
    bytes += [yes, no]
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }
}
