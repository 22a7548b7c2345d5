// SPDX-License-Identifier: Apache-2.0

/// The room in which sets of calls and behaviors of filters are compared: everything of one question shares one.
///
/// A call is what a filter sees of it (``CallInput``): all 2^32 architectures and numbers, all 64 bits of six arguments, and
/// the instruction pointer. Every answer is exact; where it would take more room or time than allowed there is an error
/// and no answer. A space is used by one thread.
package final class CallSpace {
  /// The diagrams.
  var table: DecisionTable
  /// The verdicts by the numbers of their results, less ``firstVerdict``.
  private(set) var verdicts: [Verdict] = []
  /// The numbers of the verdicts.
  private var numbers: [Verdict: Int32] = [:]

  /// The first number of a result that is a verdict; those before are the ends of sets.
  private static let firstVerdict: Int32 = 2

  /// An empty space that holds so many nodes (24 bytes each) and makes so many steps. Only the sets of a space that is
  /// arranged word by word can be described as regions.
  package init(
    _ arrangement: BitArrangement = .wordByWord,
    nodeLimit: Int = 1 << 22,
    stepLimit: Int = 1 << 28
  ) {
    table = DecisionTable(BitOrder(arrangement), nodeLimit: nodeLimit, stepLimit: stepLimit)
  }

  /// The number of a verdict's result.
  func number(_ verdict: Verdict) -> Int32 {
    if let number = numbers[verdict] { return number }
    let number = Self.firstVerdict + Int32(verdicts.count)
    verdicts.append(verdict)
    numbers[verdict] = number
    return number
  }

  /// The verdict of a result.
  func verdict(numbered number: Int32) -> Verdict { verdicts[Int(number - Self.firstVerdict)] }
}

extension CallSpace {
  /// Every call.
  package var everything: CallSet { CallSet(space: self, node: DecisionTable.yes) }

  /// No call.
  package var nothing: CallSet { CallSet(space: self, node: DecisionTable.no) }

  /// The calls of one architecture, by its `AUDIT_ARCH_…`.
  package func architecture(_ token: UInt32) throws(AnalysisError) -> CallSet {
    try word(1, isIn: [token...token])
  }

  /// The calls with one of these numbers, whatever the architecture.
  package func numbers(_ range: ClosedRange<UInt32>) throws(AnalysisError) -> CallSet {
    try word(0, isIn: [range])
  }

  /// The calls with one of these numbers, in whatever order, and whatever the architecture: of a whole table in little more
  /// time than of one call.
  package func numbers(_ numbers: some Sequence<UInt32>) throws(AnalysisError) -> CallSet {
    var ranges: [ClosedRange<UInt32>] = []
    for number in numbers.sorted() {
      if let last = ranges.last, number <= last.upperBound { continue }
      if let last = ranges.last, number == last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return try word(0, isIn: ranges)
  }

  /// The calls of which an argument, masked, equals a value.
  package func argument(_ index: Int, mask: UInt64, equals value: UInt64) throws(AnalysisError) -> CallSet {
    var set = DecisionTable.yes
    for (word, shift) in Self.halves(index) {
      let bits = try table.word(word)
      let masked = try table.calculate(.and, bits, SymbolicWord(UInt32(truncatingIfNeeded: mask >> shift)))
      let same = try table.equal(masked, SymbolicWord(UInt32(truncatingIfNeeded: value >> shift)))
      set = try table.and(set, same)
    }
    return CallSet(space: self, node: set)
  }

  /// The calls of which an argument, as a number without a sign, is in a range.
  package func argument(_ index: Int, in range: ClosedRange<UInt64>) throws(AnalysisError) -> CallSet {
    let below = try argument(index, isAbove: range.upperBound).complement()
    guard range.lowerBound > 0 else { return below }
    return try argument(index, isAbove: range.lowerBound - 1).intersection(below)
  }

  /// The words of an argument, each with its place in it; the lower half first.
  private static func halves(_ index: Int) -> [(word: Int, shift: UInt64)] {
    [(4 + 2 * index, 0), (5 + 2 * index, 32)]
  }

  /// The calls of which an argument is greater than a value.
  private func argument(_ index: Int, isAbove value: UInt64) throws(AnalysisError) -> CallSet {
    var set = DecisionTable.no
    for (word, shift) in Self.halves(index) {
      let bits = try table.word(word)
      let bound = SymbolicWord(UInt32(truncatingIfNeeded: value >> shift))
      let same = try table.equal(bits, bound)
      let greater = try table.greater(bits, bound)
      // The upper half decides unless it is the same.
      set = try table.choose(same, set, greater)
    }
    return CallSet(space: self, node: set)
  }

  /// The calls of which a word is in one of some ranges, which are in ascending order and have nothing in common.
  private func word(_ index: Int, isIn ranges: [ClosedRange<UInt32>]) throws(AnalysisError) -> CallSet {
    CallSet(space: self, node: try table.values(ofWord: index, in: ranges))
  }
}

extension CallSpace {
  /// The behavior that says the same of every call.
  package func behavior(_ verdict: Verdict) throws(AnalysisError) -> FilterBehavior {
    FilterBehavior(space: self, node: try table.result(numbered: number(verdict)))
  }

  /// What a program does with every call.
  package func behavior(of program: FilterProgram) throws(AnalysisError) -> FilterBehavior {
    var analysis = ProgramAnalysis(program) { [unowned self] in number(Verdict(returned: $0)) }
    return FilterBehavior(space: self, node: try analysis.result(in: &table))
  }

  /// What several programs do together, the oldest first, as the kernel has it: the strictest answer counts, and of two
  /// equally strict ones that of the newer program.
  package func behavior(ofStack programs: [FilterProgram]) throws(AnalysisError) -> FilterBehavior {
    var result = try behavior(.allow)
    for program in programs { result = try behavior(of: program).above(result) }
    return result
  }
}
