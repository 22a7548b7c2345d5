// SPDX-License-Identifier: Apache-2.0

extension DecisionTable {
  /// The function whose results are made from another one's.
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

  /// The function whose results are made from those of two others.
  mutating func joining(
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
      let low = try joining(cofactor(first, top, false), cofactor(second, top, false), &results, join)
      let high = try joining(cofactor(first, top, true), cofactor(second, top, true), &results, join)
      joined = try node(top, low: low, high: high)
    }
    results[pair] = joined
    return joined
  }

  /// The set of what leads to some of the nodes that lie at or below a level; above it the function is left as it is.
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
      reached = isWanted(node) ? Self.yes : Self.no
    } else {
      let low = try reaching(branch(node, false), below: end, &results, isWanted)
      let high = try reaching(branch(node, true), below: end, &results, isWanted)
      reached = try self.node(level(node), low: low, high: high)
    }
    results[node] = reached
    return reached
  }

  /// The nodes at or below a level that a function leads to, each once, in the order in which bits lead to them.
  func exits(of node: Node, below end: Int32) -> [Node] {
    var seen: Set<Node> = []
    var exits: [Node] = []
    var waiting = [node]
    while let next = waiting.popLast() {
      guard seen.insert(next).inserted else { continue }
      if level(next) >= end {
        exits.append(next)
      } else {
        waiting += [branch(next, true), branch(next, false)]
      }
    }
    return exits
  }
}

/// Two functions.
struct NodePair: Hashable {
  /// One.
  var first: Node
  /// The other.
  var second: Node
}
