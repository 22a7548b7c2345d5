// SPDX-License-Identifier: Apache-2.0

/// A reader of the conditions in a set's decision diagram.
struct RegionReader {
  /// The space of the set.
  let space: CallSpace
  /// The maximum number of alternatives of a region, or `nil` if all must be read.
  private let mostWays: Int?
  /// A cache of the alternatives below nodes.
  private var known: [Node: Ways] = [:]

  /// The maximum number of intervals, comparisons or alternatives of a description.
  static let partLimit = 1 << 14

  /// The alternatives in which the rest of a call leads into a set.
  private struct Ways {
    var alternatives: [[ArgumentConstraint]] = []
    /// Whether the alternatives are complete.
    var isComplete = true
  }

  /// Creates a reader for sets of a space.
  init(space: CallSpace, mostWays: Int? = nil) {
    precondition(
      space.table.order.arrangement == .wordByWord,
      "only sets of a space that is arranged word by word have regions"
    )
    self.space = space
    self.mostWays = mostWays
  }

  /// An interval of values of a word that lead to the same node.
  struct Interval {
    /// The values.
    var range: ClosedRange<UInt32>
    /// The node.
    var exit: Node
  }

  /// Returns a set as regions.
  mutating func regions(of set: Node) throws(AnalysisError) -> [CallRegion] {
    var regions: [CallRegion] = []
    for architecture in try Self.grouped(try intervals(of: set, word: 1)) {
      for number in try Self.grouped(try intervals(of: architecture.exit, word: 0)) {
        let ways = try ways(below: number.exit)
        regions.append(
          CallRegion(
            architectures: architecture.ranges,
            numbers: number.ranges,
            alternatives: ways.alternatives,
            isComplete: ways.isComplete
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
    for interval in intervals where interval.exit != DecisionTable.no {
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
  private mutating func ways(below node: Node) throws(AnalysisError) -> Ways {
    if node == DecisionTable.yes { return Ways(alternatives: [[]]) }
    if node == DecisionTable.no { return Ways() }
    if let known = known[node] { return known }
    // An argument has two words, its upper half first.
    let place = Int(space.table.level(node)) / BitOrder.wordBits
    let upper = place - place % 2
    let end = Int32((upper + 2) * BitOrder.wordBits)
    let field: ArgumentConstraint.Field =
      upper + 2 == BitOrder.words.count ? .instructionPointer : .argument((upper - 2) / 2)
    var ways = Ways()
    for exit in space.table.exits(of: node, below: end) where exit != DecisionTable.no {
      var results: [Node: Node] = [:]
      let values = try space.table.reaching(node, below: end, &results) { $0 == exit }
      guard let constraints = try constraints(field, upper, values) else {
        ways.isComplete = false
        continue
      }
      let rest = try self.ways(below: exit)
      ways.alternatives += rest.alternatives.map { constraints + $0 }
      if !rest.isComplete { ways.isComplete = false }
      if let mostWays, ways.alternatives.count > mostWays {
        ways = Ways(alternatives: Array(ways.alternatives.prefix(mostWays)), isComplete: false)
        break
      }
      guard ways.alternatives.count <= Self.partLimit else { throw .tooManyParts(limit: Self.partLimit) }
    }
    known[node] = ways
    return ways
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
      if mostWays != nil, case .tooManyParts = error { return nil }
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
