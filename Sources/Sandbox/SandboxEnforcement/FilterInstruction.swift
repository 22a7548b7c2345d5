// SPDX-License-Identifier: Apache-2.0

/// One instruction of a compiled seccomp filter. The corresponding structure is `struct sock_filter`.
struct FilterInstruction: Hashable {
  /// The instruction code.
  var code: UInt16
  /// The number of instructions that a conditional jump skips if its comparison is true.
  var jumpTrue: UInt8 = 0
  /// The number of instructions that a conditional jump skips if its comparison is false.
  var jumpFalse: UInt8 = 0
  /// The constant operand.
  var value: UInt32

  /// The operation of an instruction.
  enum Operation {
    /// Loads a 32-bit word of `struct seccomp_data` into the accumulator, by its offset.
    case load(UInt32)
    /// Clears the bits of the accumulator that the constant does not have.
    case mask
    /// Compares the accumulator with the constant and jumps.
    case test(FilterAssembly.Comparison)
    /// Skips as many instructions as the constant says.
    case skip
    /// Returns the constant from the filter.
    case finish
    /// Any other operation.
    case other
  }

  /// The corresponding code is `BPF_LD | BPF_W | BPF_ABS`.
  private static let loadCode: UInt16 = 0x20
  /// The corresponding code is `BPF_ALU | BPF_AND | BPF_K`.
  private static let maskCode: UInt16 = 0x54
  /// The corresponding code is `BPF_JMP | BPF_JA`.
  private static let skipCode: UInt16 = 0x05

  /// The operation that the code selects.
  var operation: Operation {
    switch code {
    case Self.loadCode: .load(value)
    case Self.maskCode: .mask
    case Self.skipCode: .skip
    case FilterAssembly.returnCode: .finish
    default: FilterAssembly.Comparison(rawValue: code).map(Operation.test) ?? .other
    }
  }

  /// Returns an unconditional jump that skips a number of instructions.
  static func skip(_ count: Int) -> FilterInstruction {
    FilterInstruction(code: skipCode, value: UInt32(count))
  }

  /// Returns a conditional jump.
  static func test(_ comparison: FilterAssembly.Comparison, _ value: UInt32) -> FilterInstruction {
    FilterInstruction(code: comparison.rawValue, value: value)
  }

  /// Returns an instruction that ends the filter with a return value.
  static func finish(_ answer: UInt32) -> FilterInstruction {
    FilterInstruction(code: FilterAssembly.returnCode, value: answer)
  }

  /// Returns the instructions of a program.
  static func all(of program: [UInt8]) -> [FilterInstruction] {
    stride(from: 0, to: program.count, by: SeccompFilter.instructionSize).map { start in
      let bytes = program[start..<start + SeccompFilter.instructionSize].map(\.self)
      return FilterInstruction(
        code: UInt16(bytes[0]) | UInt16(bytes[1]) << 8,
        jumpTrue: bytes[2],
        jumpFalse: bytes[3],
        value: bytes[4...].reversed().reduce(0) { $0 << 8 | UInt32($1) }
      )
    }
  }
}

extension [FilterInstruction] {
  /// Returns the index at which a program continues after redundant tests, starting at an index that loads a
  /// word.
  ///
  /// libseccomp tests the upper half of each argument whose lower half a rule compares, even with a mask of
  /// zero.
  func indexAfterRedundantTests(_ place: Int) -> Int {
    var place = place
    while place + 2 < count, case .load = self[place].operation, case .mask = self[place + 1].operation,
      case .test(.equal) = self[place + 2].operation, self[place + 1].value == 0, self[place + 2].value == 0,
      // The skipped load is redundant only if the next instruction ignores the accumulator.
      indices.contains(place + 3 + Int(self[place + 2].jumpTrue)),
      self[place + 3 + Int(self[place + 2].jumpTrue)].ignoresAccumulator
    {
      place += 3 + Int(self[place + 2].jumpTrue)
    }
    return place
  }
}

extension FilterInstruction {
  /// Whether the effect of the instruction does not depend on the accumulator.
  fileprivate var ignoresAccumulator: Bool {
    switch operation {
    case .load, .finish: true
    case .mask, .test, .skip, .other: false
    }
  }
}
