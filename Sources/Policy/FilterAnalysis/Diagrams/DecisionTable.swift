// SPDX-License-Identifier: Apache-2.0

/// The reduced ordered binary decision diagrams of all functions of an analysis, in one table without
/// duplicates.
///
/// A node tests one bit (its level) and leads to one of two nodes. The results are numbers: 0 and 1 for sets,
/// others for verdicts. The technique is Bryant's (1986). The diagrams are canonical, so comparing two
/// functions is comparing two integers.
struct DecisionTable {
  /// A node.
  private struct Entry {
    /// The bit that the node tests; ``BitOrder/end`` for a result.
    var level: Int32
    /// The node for a zero; for a result, its number.
    var low: Node
    /// The node for a one; for a result, the same number.
    var high: Node
  }

  static let emptySet: Node = 0
  /// The set of all calls.
  static let universalSet: Node = 1

  /// The order of the bits.
  let order: BitOrder
  /// The maximum number of nodes.
  let nodeLimit: Int
  /// The maximum number of steps, in all operations together.
  let stepLimit: Int
  /// The nodes.
  private var entries: [Entry] = []
  /// A hash table of the nodes with open addressing; -1 is a free slot.
  private var slots: [Node]
  /// The number of steps so far.
  private var steps = 0
  /// A cache of earlier results of if-then-else operations.
  private var cache: OperationCache

  /// Creates a table with only the two constant sets.
  init(_ order: BitOrder, nodeLimit: Int, stepLimit: Int) {
    self.order = order
    self.nodeLimit = nodeLimit
    self.stepLimit = stepLimit
    slots = [Node](repeating: -1, count: 1 << 12)
    cache = OperationCache(size: 1 << 12)
    insert(Entry(level: BitOrder.terminalLevel, low: 0, high: 0))
    insert(Entry(level: BitOrder.terminalLevel, low: 1, high: 1))
  }

  /// The number of nodes.
  var count: Int { entries.count }

  /// Returns the level of the bit that a node tests.
  func level(_ node: Node) -> Int32 { entries[Int(node)].level }

  /// Returns the node for a value of the bit that a node tests.
  func branch(_ node: Node, _ bit: Bool) -> Node {
    bit ? entries[Int(node)].high : entries[Int(node)].low
  }

  /// Returns the number of a result, or `nil` if the node tests a bit.
  func result(_ node: Node) -> Int32? {
    let entry = entries[Int(node)]
    return entry.level == BitOrder.terminalLevel ? entry.low : nil
  }

  /// Returns the result with a number; 0 and 1 are the two constant sets.
  mutating func result(numbered number: Int32) throws(AnalysisError) -> Node {
    try findOrInsert(Entry(level: BitOrder.terminalLevel, low: number, high: number))
  }

  /// Returns the function that tests a bit and continues with one of two functions of later bits.
  mutating func node(_ level: Int32, low: Node, high: Node) throws(AnalysisError) -> Node {
    low == high ? low : try findOrInsert(Entry(level: level, low: low, high: high))
  }

  /// Returns the function for a known bit. It is the same function if its first bit is another one.
  func cofactor(_ node: Node, _ level: Int32, _ bit: Bool) -> Node {
    let entry = entries[Int(node)]
    guard entry.level == level else { return node }
    return bit ? entry.high : entry.low
  }

  /// Returns the function that equals `then` for the calls in a set, and `otherwise` for all others.
  mutating func ifThenElse(_ set: Node, _ then: Node, _ otherwise: Node) throws(AnalysisError) -> Node {
    if set == Self.universalSet || then == otherwise { return then }
    if set == Self.emptySet { return otherwise }
    if then == Self.universalSet, otherwise == Self.emptySet { return set }
    if let known = cache.result(set, then, otherwise) { return known }
    try step()
    let top = min(level(set), min(level(then), level(otherwise)))
    let low = try ifThenElse(
      cofactor(set, top, false),
      cofactor(then, top, false),
      cofactor(otherwise, top, false)
    )
    let high = try ifThenElse(
      cofactor(set, top, true),
      cofactor(then, top, true),
      cofactor(otherwise, top, true)
    )
    let result = try node(top, low: low, high: high)
    cache.insert(set, then, otherwise, result)
    return result
  }

  /// Counts one step of an operation.
  mutating func step() throws(AnalysisError) {
    steps += 1
    guard steps <= stepLimit else { throw .tooManySteps(limit: stepLimit) }
  }

  /// Returns the index of a node, which is created if it does not exist.
  private mutating func findOrInsert(_ entry: Entry) throws(AnalysisError) -> Node {
    var slot = Self.hash(entry) & (slots.count - 1)
    while slots[slot] >= 0 {
      let other = entries[Int(slots[slot])]
      if other.level == entry.level, other.low == entry.low, other.high == entry.high { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    guard entries.count < nodeLimit else { throw .tooManyNodes(limit: nodeLimit) }
    insert(entry)
    return Node(entries.count - 1)
  }

  /// Adds a new node.
  private mutating func insert(_ entry: Entry) {
    if (entries.count + 1) * 2 > slots.count { grow() }
    entries.append(entry)
    place(Node(entries.count - 1))
  }

  /// Doubles the size of the hash table.
  private mutating func grow() {
    slots = [Node](repeating: -1, count: slots.count * 2)
    for index in entries.indices { place(Node(index)) }
    cache = OperationCache(size: slots.count / 2)
  }

  /// Puts the index of a node into the hash table.
  private mutating func place(_ node: Node) {
    var slot = Self.hash(entries[Int(node)]) & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = node
  }

  private static func hash(_ entry: Entry) -> Int {
    OperationCache.hash(entry.level, entry.low, entry.high)
  }
}

/// A function of all bits of a call, by its index in a ``DecisionTable``.
///
/// Two functions of the same table are equal if and only if their nodes are.
typealias Node = Int32
