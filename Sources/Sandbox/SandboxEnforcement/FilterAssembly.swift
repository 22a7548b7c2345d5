// SPDX-License-Identifier: Apache-2.0

/// Instructions of a filter, one after the other (classic BPF).
///
/// Jumps are relative, so that what is put in front of a program does not change it.
struct FilterAssembly {
  /// The program so far.
  private(set) var bytes: [UInt8]

  /// Goes on from a program; without one, from nothing.
  init(bytes: [UInt8] = []) { self.bytes = bytes }

  /// Where the kernel puts what a filter looks at (`struct seccomp_data`).
  enum Field {
    /// The call's number.
    case number
    /// The architecture.
    case architecture
    /// The lower half of an argument; both architectures store it first.
    case argument(Int)
    /// The upper half of one.
    case upperArgument(Int)

    /// The offset.
    var offset: UInt32 {
      switch self {
      case .number: 0
      case .architecture: 4
      case .argument(let index): 16 + 8 * UInt32(index)
      case .upperArgument(let index): 20 + 8 * UInt32(index)
      }
    }
  }

  /// What becomes of a call.
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
    /// The corresponding constant is `SECCOMP_RET_ALLOW`.
    case allow = 0x7FFF_0000
  }

  /// The comparisons of the accumulator with a constant.
  enum Comparison: UInt16 {
    /// The corresponding code is `BPF_JMP | BPF_JEQ | BPF_K`.
    case equal = 0x15
    /// The corresponding code is `BPF_JMP | BPF_JGT | BPF_K`.
    case greater = 0x25
    /// The corresponding code is `BPF_JMP | BPF_JGE | BPF_K`.
    case greaterOrEqual = 0x35
    /// The corresponding code is `BPF_JMP | BPF_JSET | BPF_K`.
    case anyBit = 0x45

    /// Whether it holds.
    func holds(for accumulator: UInt32, _ constant: UInt32) -> Bool {
      switch self {
      case .equal: accumulator == constant
      case .greater: accumulator > constant
      case .greaterOrEqual: accumulator >= constant
      case .anyBit: accumulator & constant != 0
      }
    }
  }

  /// The code of ``finish(_:)``. The corresponding code is `BPF_RET | BPF_K`.
  static let finishing: UInt16 = 0x06

  /// The number of instructions.
  var count: Int { bytes.count / SeccompFilter.instructionSize }

  /// Puts a word into the accumulator. The corresponding code is `BPF_LD | BPF_W | BPF_ABS`.
  mutating func load(_ field: Field) { append(0x20, 0, 0, field.offset) }

  /// Clears the other bits of the accumulator. The corresponding code is `BPF_ALU | BPF_AND | BPF_K`.
  mutating func mask(_ bits: UInt32) { append(0x54, 0, 0, bits) }

  /// Goes on so many instructions further.
  mutating func jump(_ how: Comparison, _ value: UInt32, true yes: UInt8, false no: UInt8) {
    append(how.rawValue, yes, no, value)
  }

  /// Ends the program.
  mutating func finish(_ action: Action) { append(Self.finishing, 0, 0, action.rawValue) }

  /// Appends what was assembled elsewhere.
  mutating func append(_ other: FilterAssembly) { bytes += other.bytes }

  /// Appends an instruction.
  mutating func append(_ instruction: FilterInstruction) {
    append(instruction.code, instruction.yes, instruction.no, instruction.value)
  }

  /// Appends one `struct sock_filter`; both architectures store the low byte first.
  private mutating func append(_ code: UInt16, _ yes: UInt8, _ no: UInt8, _ value: UInt32) {
    withUnsafeBytes(of: code.littleEndian) { bytes += $0 }
    bytes += [yes, no]
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }
}
