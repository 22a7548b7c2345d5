// SPDX-License-Identifier: Apache-2.0

/// One instruction of a compiled filter. The corresponding structure is `struct sock_filter`.
struct FilterInstruction: Hashable {
  /// The operation's code.
  var code: UInt16
  /// How many instructions a test goes over where it holds.
  var yes: UInt8 = 0
  /// How many it goes over where it does not.
  var no: UInt8 = 0
  /// The constant.
  var value: UInt32

  /// What an instruction does.
  enum Operation {
    /// Puts a word of what the filter looks at into the accumulator, by its offset.
    case load(UInt32)
    /// Leaves those bits of the accumulator that the constant has.
    case mask
    /// Compares the accumulator with the constant.
    case test(FilterAssembly.Comparison)
    /// Goes over as many instructions as the constant says.
    case skip
    /// Ends the program.
    case finish
    /// Anything else.
    case other
  }

  /// The corresponding code is `BPF_LD | BPF_W | BPF_ABS`.
  private static let loadCode: UInt16 = 0x20
  /// The corresponding code is `BPF_ALU | BPF_AND | BPF_K`.
  private static let maskCode: UInt16 = 0x54
  /// The corresponding code is `BPF_JMP | BPF_JA`.
  private static let skipCode: UInt16 = 0x05

  /// What the instruction does.
  var operation: Operation {
    switch code {
    case Self.loadCode: .load(value)
    case Self.maskCode: .mask
    case Self.skipCode: .skip
    case FilterAssembly.finishing: .finish
    default: FilterAssembly.Comparison(rawValue: code).map(Operation.test) ?? .other
    }
  }

  /// An instruction that goes over others.
  static func skip(_ count: Int) -> FilterInstruction {
    FilterInstruction(code: skipCode, value: UInt32(count))
  }

  /// A test.
  static func test(_ comparison: FilterAssembly.Comparison, _ value: UInt32) -> FilterInstruction {
    FilterInstruction(code: comparison.rawValue, value: value)
  }

  /// An end.
  static func finish(_ answer: UInt32) -> FilterInstruction {
    FilterInstruction(code: FilterAssembly.finishing, value: answer)
  }

  /// The instructions of a program.
  static func all(of program: [UInt8]) -> [FilterInstruction] {
    stride(from: 0, to: program.count, by: SeccompFilter.instructionSize).map { start in
      let bytes = program[start..<start + SeccompFilter.instructionSize].map(\.self)
      return FilterInstruction(
        code: UInt16(bytes[0]) | UInt16(bytes[1]) << 8,
        yes: bytes[2],
        no: bytes[3],
        value: bytes[4...].reversed().reduce(0) { $0 << 8 | UInt32($1) }
      )
    }
  }
}

extension [FilterInstruction] {
  /// Where a program goes on from a place that loads something, if whether no bit of it is set is asked first: libseccomp
  /// asks that of the upper half of each argument whose lower half a rule compares.
  func afterIdleTests(_ place: Int) -> Int {
    var place = place
    while place + 2 < count, case .load = self[place].operation, case .mask = self[place + 1].operation,
      case .test(.equal) = self[place + 2].operation, self[place + 1].value == 0, self[place + 2].value == 0,
      // What follows has to load something itself.
      indices.contains(place + 3 + Int(self[place + 2].yes)),
      self[place + 3 + Int(self[place + 2].yes)].needsNothing
    {
      place += 3 + Int(self[place + 2].yes)
    }
    return place
  }
}

extension FilterInstruction {
  /// Whether it does the same whatever the accumulator holds.
  fileprivate var needsNothing: Bool {
    switch operation {
    case .load, .finish: true
    case .mask, .test, .skip, .other: false
    }
  }
}
