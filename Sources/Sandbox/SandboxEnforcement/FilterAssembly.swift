// SPDX-License-Identifier: Apache-2.0

/// A sequence of classic BPF instructions of a seccomp filter.
///
/// Jumps are relative, so instructions in front of a program do not change the program.
struct FilterAssembly {
  /// The assembled program.
  private(set) var bytes: [UInt8]

  /// Creates an assembly that continues a program, or an empty assembly.
  init(bytes: [UInt8] = []) { self.bytes = bytes }

  /// A field of `struct seccomp_data`, which the filter reads.
  enum Field {
    /// The system call number.
    case number
    /// The architecture, as an `AUDIT_ARCH_…` value.
    case architecture
    /// The lower half of an argument. Both supported architectures store the lower half first.
    case argument(Int)
    /// The upper half of an argument.
    case upperArgument(Int)

    /// The byte offset in `struct seccomp_data`.
    var offset: UInt32 {
      switch self {
      case .number: 0
      case .architecture: 4
      case .argument(let index): 16 + 8 * UInt32(index)
      case .upperArgument(let index): 20 + 8 * UInt32(index)
      }
    }
  }

  /// The return value of a filter.
  enum Action: UInt32 {
    /// The corresponding constant is `SECCOMP_RET_KILL_PROCESS`.
    case killProcess = 0x8000_0000
    /// The corresponding value is `SECCOMP_RET_ERRNO | EPERM`.
    case notPermitted = 0x0005_0001
    /// The corresponding value is `SECCOMP_RET_ERRNO | ENOSYS`.
    case notImplemented = 0x0005_0026
    /// The corresponding value is `SECCOMP_RET_ERRNO | EOPNOTSUPP`.
    case notSupported = 0x0005_005F
    /// The corresponding constant is `SECCOMP_RET_USER_NOTIF`.
    case report = 0x7FC0_0000
    /// The corresponding constant is `SECCOMP_RET_TRACE`: without a tracer, the call is not executed and fails with
    /// `ENOSYS`.
    case trace = 0x7FF0_0000
    /// The corresponding constant is `SECCOMP_RET_ALLOW`.
    case allow = 0x7FFF_0000
  }

  /// A comparison of the accumulator with a constant.
  enum Comparison: UInt16 {
    /// The corresponding code is `BPF_JMP | BPF_JEQ | BPF_K`.
    case equal = 0x15
    /// The corresponding code is `BPF_JMP | BPF_JGT | BPF_K`.
    case greater = 0x25
    /// The corresponding code is `BPF_JMP | BPF_JGE | BPF_K`.
    case greaterOrEqual = 0x35
    /// The corresponding code is `BPF_JMP | BPF_JSET | BPF_K`.
    case anyBit = 0x45

    /// Returns whether the comparison is true for an accumulator and a constant.
    func holds(for accumulator: UInt32, _ constant: UInt32) -> Bool {
      switch self {
      case .equal: accumulator == constant
      case .greater: accumulator > constant
      case .greaterOrEqual: accumulator >= constant
      case .anyBit: accumulator & constant != 0
      }
    }
  }

  /// The instruction code of ``finish(_:)``. The corresponding code is `BPF_RET | BPF_K`.
  static let returnCode: UInt16 = 0x06

  /// The number of instructions.
  var count: Int { bytes.count / SeccompFilter.instructionSize }

  /// Appends a load of a 32-bit word into the accumulator. The corresponding code is `BPF_LD | BPF_W |
  /// BPF_ABS`.
  mutating func load(_ field: Field) { append(0x20, 0, 0, field.offset) }

  /// Appends a mask of the accumulator. The corresponding code is `BPF_ALU | BPF_AND | BPF_K`.
  mutating func mask(_ bits: UInt32) { append(0x54, 0, 0, bits) }

  /// Appends a conditional jump that skips `jumpTrue` instructions if the comparison is true, and `jumpFalse`
  /// instructions otherwise.
  mutating func jump(_ how: Comparison, _ value: UInt32, true jumpTrue: UInt8, false jumpFalse: UInt8) {
    append(how.rawValue, jumpTrue, jumpFalse, value)
  }

  /// Appends a return instruction.
  mutating func finish(_ action: Action) { append(Self.returnCode, 0, 0, action.rawValue) }

  /// Appends the instructions of another assembly.
  mutating func append(_ other: FilterAssembly) { bytes += other.bytes }

  /// Appends an instruction.
  mutating func append(_ instruction: FilterInstruction) {
    append(instruction.code, instruction.jumpTrue, instruction.jumpFalse, instruction.value)
  }

  /// Appends one `struct sock_filter`. Both supported architectures store the low byte first.
  private mutating func append(_ code: UInt16, _ jumpTrue: UInt8, _ jumpFalse: UInt8, _ value: UInt32) {
    withUnsafeBytes(of: code.littleEndian) { bytes += $0 }
    bytes += [jumpTrue, jumpFalse]
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }
}
