// SPDX-License-Identifier: Apache-2.0

extension DecisionTable {
  /// Returns a copy of a diagram in which a closure has replaced each result.
  mutating func mapping(
    _ node: Node,
    _ results: inout [Node: Node],
    _ change: (Int32) -> Int32
  ) throws(AnalysisError) -> Node {
    if let known = results[node] { return known }
    try step()
    let mapped: Node
    if let number = result(node) {
      mapped = try result(numbered: change(number))
    } else {
      let low = try mapping(branch(node, false), &results, change)
      let high = try mapping(branch(node, true), &results, change)
      mapped = try self.node(level(node), low: low, high: high)
    }
    results[node] = mapped
    return mapped
  }

  /// Returns the combination of two diagrams. A closure calculates the result for each call from the results of
  /// both diagrams.
  mutating func combining(
    _ first: Node,
    _ second: Node,
    _ results: inout [NodePair: Node],
    _ join: (Int32, Int32) -> Int32
  ) throws(AnalysisError) -> Node {
    let pair = NodePair(first: first, second: second)
    if let known = results[pair] { return known }
    try step()
    let joined: Node
    if let left = result(first), let right = result(second) {
      joined = try result(numbered: join(left, right))
    } else {
      let top = min(level(first), level(second))
      let low = try combining(cofactor(first, top, false), cofactor(second, top, false), &results, join)
      let high = try combining(cofactor(first, top, true), cofactor(second, top, true), &results, join)
      joined = try node(top, low: low, high: high)
    }
    results[pair] = joined
    return joined
  }

  /// Returns the set of the calls that lead to a wanted node at or below a level. The set only tests bits
  /// above the level.
  mutating func reaching(
    _ node: Node,
    below end: Int32,
    _ results: inout [Node: Node],
    _ isWanted: (Node) -> Bool
  ) throws(AnalysisError) -> Node {
    if let known = results[node] { return known }
    try step()
    let reached: Node
    if level(node) >= end {
      reached = isWanted(node) ? Self.universalSet : Self.emptySet
    } else {
      let low = try reaching(branch(node, false), below: end, &results, isWanted)
      let high = try reaching(branch(node, true), below: end, &results, isWanted)
      reached = try self.node(level(node), low: low, high: high)
    }
    results[node] = reached
    return reached
  }

  /// Returns the nodes at or below a level that a function leads to, without duplicates, in the order of the
  /// bits that lead to them.
  func exits(of node: Node, below end: Int32) -> [Node] {
    var seen: Set<Node> = []
    var exits: [Node] = []
    var pending = [node]
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      if level(next) >= end {
        exits.append(next)
      } else {
        pending += [branch(next, true), branch(next, false)]
      }
    }
    return exits
  }
}

/// A pair of functions.
struct NodePair: Hashable {
  /// The first function.
  var first: Node
  /// The second function.
  var second: Node
}
