// SPDX-License-Identifier: Apache-2.0

/// Reduced, ordered decision diagrams of all functions of an analysis, shared and each only once.
///
/// A node asks for one bit (its level) and goes on to one of two nodes; the ends are numbers: 0 and 1 for sets, others for
/// verdicts. The technique is Bryant's (1986); being canonical, it makes every comparison a comparison of two integers.
struct DecisionTable {
  /// One node.
  private struct Entry {
    /// The bit that it asks for; ``BitOrder/end`` for a result.
    var level: Int32
    /// Where a zero leads; for a result its number.
    var low: Node
    /// Where a one leads; for a result the same number.
    var high: Node
  }

  /// The empty set.
  static let no: Node = 0
  /// The set of everything.
  static let yes: Node = 1

  /// The order of the bits.
  let order: BitOrder
  /// How many nodes there may be.
  let nodeLimit: Int
  /// How many steps may be made, in all operations together.
  let stepLimit: Int
  /// The nodes.
  private var entries: [Entry] = []
  /// The places of the nodes by what they are: open addressing, -1 is free.
  private var slots: [Node]
  /// The steps made so far.
  private var steps = 0
  /// The results of earlier choices; a later one may take an earlier one's place.
  private var memory: OperationMemory

  /// A table with nothing but the two sets that need no bit.
  init(_ order: BitOrder, nodeLimit: Int, stepLimit: Int) {
    self.order = order
    self.nodeLimit = nodeLimit
    self.stepLimit = stepLimit
    slots = [Node](repeating: -1, count: 1 << 12)
    memory = OperationMemory(size: 1 << 12)
    insert(Entry(level: BitOrder.end, low: 0, high: 0))
    insert(Entry(level: BitOrder.end, low: 1, high: 1))
  }

  /// The number of nodes.
  var count: Int { entries.count }

  /// The bit that a node asks for.
  func level(_ node: Node) -> Int32 { entries[Int(node)].level }

  /// Where a node leads.
  func branch(_ node: Node, _ bit: Bool) -> Node {
    bit ? entries[Int(node)].high : entries[Int(node)].low
  }

  /// The number of a result; nil if the node still asks for a bit.
  func result(_ node: Node) -> Int32? {
    let entry = entries[Int(node)]
    return entry.level == BitOrder.end ? entry.low : nil
  }

  /// The result with a number; 0 and 1 are the two sets.
  mutating func result(numbered number: Int32) throws(AnalysisError) -> Node {
    try find(Entry(level: BitOrder.end, low: number, high: number))
  }

  /// The function that asks for a bit and then is one of two that do not ask for it or an earlier one.
  mutating func node(_ level: Int32, low: Node, high: Node) throws(AnalysisError) -> Node {
    low == high ? low : try find(Entry(level: level, low: low, high: high))
  }

  /// Where a function leads when a bit is known; itself if it does not begin with that bit.
  func cofactor(_ node: Node, _ level: Int32, _ bit: Bool) -> Node {
    let entry = entries[Int(node)]
    guard entry.level == level else { return node }
    return bit ? entry.high : entry.low
  }

  /// One function where a set holds, and another where it does not.
  mutating func choose(_ set: Node, _ then: Node, _ otherwise: Node) throws(AnalysisError) -> Node {
    if set == Self.yes || then == otherwise { return then }
    if set == Self.no { return otherwise }
    if then == Self.yes, otherwise == Self.no { return set }
    if let known = memory.result(set, then, otherwise) { return known }
    try step()
    let top = min(level(set), min(level(then), level(otherwise)))
    let low = try choose(
      cofactor(set, top, false),
      cofactor(then, top, false),
      cofactor(otherwise, top, false)
    )
    let high = try choose(
      cofactor(set, top, true),
      cofactor(then, top, true),
      cofactor(otherwise, top, true)
    )
    let result = try node(top, low: low, high: high)
    memory.remember(set, then, otherwise, result)
    return result
  }

  /// Counts one step of an operation.
  mutating func step() throws(AnalysisError) {
    steps += 1
    guard steps <= stepLimit else { throw .tooManySteps(limit: stepLimit) }
  }

  /// The place of a node, which is made if there is none yet.
  private mutating func find(_ entry: Entry) throws(AnalysisError) -> Node {
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

  /// Adds a node that is not there.
  private mutating func insert(_ entry: Entry) {
    if (entries.count + 1) * 2 > slots.count { grow() }
    entries.append(entry)
    place(Node(entries.count - 1))
  }

  /// Makes room for twice as many.
  private mutating func grow() {
    slots = [Node](repeating: -1, count: slots.count * 2)
    for index in entries.indices { place(Node(index)) }
    memory = OperationMemory(size: slots.count / 2)
  }

  /// Notes the place of a node.
  private mutating func place(_ node: Node) {
    var slot = Self.hash(entries[Int(node)]) & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = node
  }

  private static func hash(_ entry: Entry) -> Int {
    OperationMemory.hash(entry.level, entry.low, entry.high)
  }
}
