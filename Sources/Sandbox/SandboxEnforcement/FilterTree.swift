// SPDX-License-Identifier: Apache-2.0

/// What a filter makes of each number of a call, as ranges of numbers that it treats alike.
///
/// What the kernel does when a filter is installed takes as long as the filter has instructions: it translates each, and
/// then goes through the filter for every number that there is (seccomp(2)). libseccomp compares with one number after the
/// other and looks at the architecture a second time; as a balanced tree over ranges, with each answer there once, the
/// same decisions need about half of the instructions. What arguments decide is taken over, without the tests of halves that
/// a rule says nothing about. Nobody has to trust this: what is loaded is what is proved.
struct FilterTree {
  /// What becomes of a number.
  enum Target: Hashable {
    /// The same whatever the arguments are: the constant of a return instruction.
    case answer(UInt32)
    /// What the arguments decide, from an instruction of the original on.
    case arguments(Int)
  }

  /// Numbers that follow each other, up to the first of the next range.
  struct Range {
    /// The lowest number.
    var first: UInt32
    /// What becomes of all of them.
    var target: Target
  }

  /// The filter that the ranges are those of.
  let original: [FilterInstruction]
  /// The ranges from 0 on, without a gap.
  let ranges: [Range]

  /// Finds the ranges of one architecture's calls; nil if the filter has instructions that compilers do not make.
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

  /// Goes through the filter as far as number and architecture decide.
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
      case .load: return .arguments(program.afterIdleTests(place))
      case .finish: return .answer(instruction.value)
      case .skip: place += Int(instruction.value)
      case .test(let comparison):
        guard let accumulator else { return nil }
        place += Int(comparison.holds(for: accumulator, instruction.value) ? instruction.yes : instruction.no)
      case .mask, .other: return nil
      }
      place += 1
    }
    return nil
  }
}

extension [FilterInstruction] {
  /// Whether a program allows a call whatever its arguments are.
  func alwaysAllow(_ number: UInt32, _ architecture: UInt32) -> Bool {
    FilterTree.target(of: number, architecture, in: self) == .answer(FilterAssembly.Action.allow.rawValue)
  }
}
