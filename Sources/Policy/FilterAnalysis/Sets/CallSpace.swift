// SPDX-License-Identifier: Apache-2.0

/// A space that stores the sets of calls and behaviors of filters of one analysis.
///
/// The domain is everything that a filter can see of a call (``SeccompData``): all 2^32 architectures and
/// numbers, all 64 bits of six arguments, and the instruction pointer. Every result is exact. An operation
/// that would exceed the limits of memory or time throws an error. A space must be used by only one thread.
package final class CallSpace {
  /// The decision diagrams.
  var table: DecisionTable
  /// The verdicts, by the number of their result minus ``firstVerdict``.
  private(set) var verdicts: [Verdict] = []
  /// The result numbers of the verdicts.
  private var numbers: [Verdict: Int32] = [:]

  /// The number of the first result that is a verdict; the smaller ones are the constants of sets.
  private static let firstVerdict: Int32 = 2

  /// Creates an empty space with a maximum number of nodes (24 bytes each) and of steps.
  ///
  /// Only sets of a word-by-word space can be described as regions.
  package init(
    _ arrangement: BitArrangement = .wordByWord,
    nodeLimit: Int = 1 << 22,
    stepLimit: Int = 1 << 28
  ) {
    table = DecisionTable(BitOrder(arrangement), nodeLimit: nodeLimit, stepLimit: stepLimit)
  }

  /// Returns the result number of a verdict.
  func number(_ verdict: Verdict) -> Int32 {
    if let number = numbers[verdict] { return number }
    let number = Self.firstVerdict + Int32(verdicts.count)
    verdicts.append(verdict)
    numbers[verdict] = number
    return number
  }

  /// Returns the verdict of a result number.
  func verdict(numbered number: Int32) -> Verdict { verdicts[Int(number - Self.firstVerdict)] }
}

extension CallSpace {
  /// The set of all calls.
  package var everything: CallSet { CallSet(space: self, node: DecisionTable.universalSet) }

  /// The set without calls.
  package var nothing: CallSet { CallSet(space: self, node: DecisionTable.emptySet) }

  /// Returns the calls of one architecture, by its `AUDIT_ARCH_…`.
  package func architecture(_ token: UInt32) throws(AnalysisError) -> CallSet {
    try word(1, isIn: [token...token])
  }

  /// Returns the calls with a number in a range, on any architecture.
  package func numbers(_ range: ClosedRange<UInt32>) throws(AnalysisError) -> CallSet {
    try word(0, isIn: [range])
  }

  /// Returns the calls with one of the given numbers, on any architecture.
  ///
  /// The numbers can have any order. A whole table takes little more time than a single call.
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

  /// Returns the calls for which a masked argument equals a value.
  package func argument(_ index: Int, mask: UInt64, equals value: UInt64) throws(AnalysisError) -> CallSet {
    var set = DecisionTable.universalSet
    for (word, shift) in Self.halves(index) {
      let bits = try table.word(word)
      let masked = try table.calculate(.and, bits, SymbolicWord(UInt32(truncatingIfNeeded: mask >> shift)))
      let same = try table.equal(masked, SymbolicWord(UInt32(truncatingIfNeeded: value >> shift)))
      set = try table.and(set, same)
    }
    return CallSet(space: self, node: set)
  }

  /// Returns the calls for which an argument, as an unsigned number, is in a range.
  package func argument(_ index: Int, in range: ClosedRange<UInt64>) throws(AnalysisError) -> CallSet {
    let below = try argument(index, isAbove: range.upperBound).complement()
    guard range.lowerBound > 0 else { return below }
    return try argument(index, isAbove: range.lowerBound - 1).intersection(below)
  }

  /// Returns the words of an argument and their shift distances, lower half first.
  private static func halves(_ index: Int) -> [(word: Int, shift: UInt64)] {
    [(4 + 2 * index, 0), (5 + 2 * index, 32)]
  }

  /// Returns the calls for which an argument is greater than a value.
  private func argument(_ index: Int, isAbove value: UInt64) throws(AnalysisError) -> CallSet {
    var set = DecisionTable.emptySet
    for (word, shift) in Self.halves(index) {
      let bits = try table.word(word)
      let bound = SymbolicWord(UInt32(truncatingIfNeeded: value >> shift))
      let same = try table.equal(bits, bound)
      let greater = try table.greater(bits, bound)
      // The upper half decides unless the upper halves are equal.
      set = try table.ifThenElse(same, set, greater)
    }
    return CallSet(space: self, node: set)
  }

  /// Returns the calls for which a word is in one of several disjoint ranges in ascending order.
  private func word(_ index: Int, isIn ranges: [ClosedRange<UInt32>]) throws(AnalysisError) -> CallSet {
    CallSet(space: self, node: try table.values(ofWord: index, in: ranges))
  }
}

extension CallSpace {
  /// Returns the behavior that has the same verdict for every call.
  package func behavior(_ verdict: Verdict) throws(AnalysisError) -> FilterBehavior {
    FilterBehavior(space: self, node: try table.result(numbered: number(verdict)))
  }

  /// Returns the behavior of a program.
  package func behavior(of program: FilterProgram) throws(AnalysisError) -> FilterBehavior {
    var analysis = ProgramAnalysis(program) { [unowned self] in number(Verdict(returnValue: $0)) }
    return FilterBehavior(space: self, node: try analysis.result(in: &table))
  }

  /// Returns the combined behavior of several programs, the oldest first.
  ///
  /// As in the kernel, the strictest verdict takes precedence; of equally strict verdicts, the one of the
  /// newest program does.
  package func behavior(ofStack programs: [FilterProgram]) throws(AnalysisError) -> FilterBehavior {
    var result = try behavior(.allow)
    for program in programs { result = try behavior(of: program).stackedOn(result) }
    return result
  }
}
