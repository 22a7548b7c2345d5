// SPDX-License-Identifier: Apache-2.0

/// A reader of the conditions in a set's decision diagram.
struct RegionReader {
  /// The space of the set.
  let space: CallSpace
  /// The maximum number of alternatives of a region, or `nil` if all must be read.
  private let maximumAlternatives: Int?
  /// A cache of the alternatives below nodes.
  private var known: [Node: Alternatives] = [:]

  /// The maximum number of intervals, comparisons or alternatives of a description.
  static let partLimit = 1 << 14

  /// The alternatives in which the rest of a call leads into a set.
  private struct Alternatives {
    var alternatives: [[ArgumentConstraint]] = []
    /// Whether the alternatives are complete.
    var isComplete = true
  }

  /// Creates a reader for sets of a space.
  init(space: CallSpace, maximumAlternatives: Int? = nil) {
    precondition(
      space.table.order.arrangement == .wordByWord,
      "only sets of a space in word order have regions"
    )
    self.space = space
    self.maximumAlternatives = maximumAlternatives
  }

  /// An interval of values of a word that lead to the same node.
  struct Interval {
    /// The values.
    var range: ClosedRange<UInt32>
    var exit: Node
  }

  /// Returns a set as regions.
  mutating func regions(of set: Node) throws(AnalysisError) -> [CallRegion] {
    var regions: [CallRegion] = []
    for architecture in try Self.grouped(try intervals(of: set, word: 1)) {
      for number in try Self.grouped(try intervals(of: architecture.exit, word: 0)) {
        let alternativeSet = try alternativeSet(below: number.exit)
        regions.append(
          CallRegion(
            architectures: architecture.ranges,
            numbers: number.ranges,
            alternatives: alternativeSet.alternatives,
            isComplete: alternativeSet.isComplete
          )
        )
      }
    }
    return regions
  }

  /// Returns the ranges that lead to each node other than the empty set, in the order of the first range of
  /// each.
  private static func grouped(
    _ intervals: [Interval]
  ) throws(AnalysisError) -> [(exit: Node, ranges: [ClosedRange<UInt32>])] {
    var groups: [(exit: Node, ranges: [ClosedRange<UInt32>])] = []
    var places: [Node: Int] = [:]
    for interval in intervals where interval.exit != DecisionTable.emptySet {
      if let place = places[interval.exit] {
        groups[place].ranges.append(interval.range)
      } else {
        places[interval.exit] = groups.count
        groups.append((interval.exit, [interval.range]))
      }
    }
    return groups
  }

  /// Returns the alternatives in which the rest of a call leads into the set.
  private mutating func alternativeSet(below node: Node) throws(AnalysisError) -> Alternatives {
    if node == DecisionTable.universalSet { return Alternatives(alternatives: [[]]) }
    if node == DecisionTable.emptySet { return Alternatives() }
    if let known = known[node] { return known }
    // An argument has two words, its upper half first.
    let place = Int(space.table.level(node)) / BitOrder.wordBits
    let upper = place - place % 2
    let end = Int32((upper + 2) * BitOrder.wordBits)
    let field: ArgumentConstraint.Field =
      upper + 2 == BitOrder.words.count ? .instructionPointer : .argument((upper - 2) / 2)
    var alternativeSet = Alternatives()
    for exit in space.table.exits(of: node, below: end) where exit != DecisionTable.emptySet {
      var results: [Node: Node] = [:]
      let values = try space.table.reaching(node, below: end, &results) { $0 == exit }
      guard let constraints = try constraints(field, upper, values) else {
        alternativeSet.isComplete = false
        continue
      }
      let rest = try self.alternativeSet(below: exit)
      alternativeSet.alternatives += rest.alternatives.map { constraints + $0 }
      if !rest.isComplete { alternativeSet.isComplete = false }
      if let maximumAlternatives, alternativeSet.alternatives.count > maximumAlternatives {
        alternativeSet = Alternatives(
          alternatives: Array(alternativeSet.alternatives.prefix(maximumAlternatives)),
          isComplete: false
        )
        break
      }
      guard alternativeSet.alternatives.count <= Self.partLimit else {
        throw .tooManyParts(limit: Self.partLimit)
      }
    }
    known[node] = alternativeSet
    return alternativeSet
  }

  /// Returns the constraints on a field, or `nil` if they have too many parts and may be left out.
  private func constraints(
    _ field: ArgumentConstraint.Field,
    _ upper: Int,
    _ values: Node
  ) throws(AnalysisError) -> [ArgumentConstraint]? {
    do throws(AnalysisError) {
      return try ValueReader(space: space, upper: upper).conditions(of: values)
        .map { ArgumentConstraint(field: field, values: $0) }
    } catch {
      if maximumAlternatives != nil, case .tooManyParts = error { return nil }
      throw error
    }
  }

  /// Returns the function for a known value of a word.
  func descend(_ node: Node, word: Int, _ value: UInt32) -> Node {
    let first = BitOrder.firstLevel(ofWord: word)
    var node = node
    while space.table.level(node) >= first, space.table.level(node) < first + Int32(BitOrder.wordBits) {
      let bit = BitOrder.wordBits - 1 - Int(space.table.level(node) - first)
      node = space.table.branch(node, value >> UInt32(bit) & 1 == 1)
    }
    return node
  }

  /// Returns the values of a word as intervals that lead to the same node, in ascending order. The function
  /// must not test bits before the word.
  func intervals(of node: Node, word: Int) throws(AnalysisError) -> [Interval] {
    let first = BitOrder.firstLevel(ofWord: word)
    var intervals: [Interval] = []
    var start: UInt32 = 0
    while true {
      // All values from here that agree in the tested bits lead to the same node.
      var exit = node
      var free = UInt32(BitOrder.wordBits)
      while space.table.level(exit) < first + Int32(BitOrder.wordBits) {
        let bit = UInt32(BitOrder.wordBits - 1) - UInt32(space.table.level(exit) - first)
        exit = space.table.branch(exit, start >> bit & 1 == 1)
        free = bit
      }
      let last = free == UInt32(BitOrder.wordBits) ? .max : start | ((1 << free) - 1)
      if let previous = intervals.last, previous.exit == exit {
        intervals[intervals.count - 1].range = previous.range.lowerBound...last
      } else {
        intervals.append(Interval(range: start...last, exit: exit))
      }
      guard intervals.count <= Self.partLimit else { throw .tooManyParts(limit: Self.partLimit) }
      guard last < .max else { return intervals }
      start = last + 1
    }
  }
}
