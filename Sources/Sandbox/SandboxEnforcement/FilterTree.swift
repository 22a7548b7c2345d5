// SPDX-License-Identifier: Apache-2.0

/// The result of a filter for each system call number, as ranges of numbers with the same result.
///
/// The installation time of a filter grows with its number of instructions. The kernel translates each
/// instruction and then runs the filter for every system call number (seccomp(2)).
///
/// libseccomp compares one number after the other and tests the architecture twice. A balanced tree over
/// ranges, with each return instruction once, makes the same decisions in about half of the instructions.
/// Argument-dependent instructions are copied, without the tests of halves that no rule compares. This code
/// does not have to be trusted: the installed program is the one that is proved.
struct FilterTree {
  /// The result for a system call number.
  enum Target: Hashable {
    /// The same return value for all arguments: the constant of a return instruction.
    case answer(UInt32)
    /// A result that depends on the arguments, from this index of the original program on.
    case arguments(Int)
  }

  /// A range of consecutive numbers, up to the first number of the next range.
  struct Range {
    /// The lowest number.
    var first: UInt32
    /// The result for all numbers of the range.
    var target: Target
  }

  /// The filter to which the ranges belong.
  let original: [FilterInstruction]
  /// The ranges from 0 on, without gaps.
  let ranges: [Range]

  /// Creates the tree for the calls of one architecture, or returns `nil` if the filter has instructions that
  /// compilers do not generate.
  init?(_ program: [UInt8], newest: Int, architecture: UInt32) {
    let original = FilterInstruction.all(of: program)
    var ranges: [Range] = []
    for number in 0...UInt32(newest) {
      guard let target = Self.target(of: number, architecture, in: original) else { return nil }
      if ranges.last?.target != target { ranges.append(Range(first: number, target: target)) }
    }
    self.original = original
    self.ranges = ranges
  }

  /// Returns the result for a number, following the filter as far as number and architecture decide.
  fileprivate static func target(of number: UInt32, _ architecture: UInt32, in program: [FilterInstruction])
    -> Target?
  {
    var accumulator: UInt32?
    var place = 0
    while program.indices.contains(place) {
      let instruction = program[place]
      switch instruction.operation {
      case .load(FilterAssembly.Field.number.offset): accumulator = number
      case .load(FilterAssembly.Field.architecture.offset): accumulator = architecture
      case .load: return .arguments(program.indexAfterRedundantTests(place))
      case .finish: return .answer(instruction.value)
      case .skip: place += Int(instruction.value)
      case .test(let comparison):
        guard let accumulator else { return nil }
        place += Int(
          comparison.holds(for: accumulator, instruction.value) ? instruction.jumpTrue : instruction.jumpFalse
        )
      case .mask, .other: return nil
      }
      place += 1
    }
    return nil
  }
}

extension [FilterInstruction] {
  /// Returns whether a program allows a call for all arguments.
  func alwaysAllow(_ number: UInt32, _ architecture: UInt32) -> Bool {
    FilterTree.target(of: number, architecture, in: self) == .answer(FilterAssembly.Action.allow.rawValue)
  }
}
