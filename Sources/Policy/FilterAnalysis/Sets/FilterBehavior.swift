// SPDX-License-Identifier: Apache-2.0

/// The behavior of a filter: a function from calls to verdicts.
package struct FilterBehavior {
  /// The space that stores the behavior.
  package let space: CallSpace
  /// The root of the function's diagram.
  let node: Node

  /// Returns the calls whose verdict passes a test.
  package func inputs(where test: (Verdict) -> Bool) throws(AnalysisError) -> CallSet {
    var results: [Node: Node] = [:]
    let node = try space.table.mapping(node, &results) { [space] number in
      test(space.verdict(numbered: number)) ? 1 : 0
    }
    return CallSet(space: space, node: node)
  }

  /// Returns the calls that may be executed.
  package func permitted(under supervision: Supervision) throws(AnalysisError) -> CallSet {
    try inputs { $0.permits(under: supervision) }
  }

  /// All verdicts that at least one call has.
  package var verdicts: [Verdict] {
    space.table.exits(of: node, below: BitOrder.terminalLevel).compactMap { space.table.result($0) }
      .map { space.verdict(numbered: $0) }
  }

  /// Returns the verdict of one call.
  package func verdict(for input: SeccompData) -> Verdict {
    let words = input.words
    var node = node
    while space.table.result(node) == nil {
      let place = space.table.order.position(space.table.level(node))
      node = space.table.branch(node, words[place.word] >> UInt32(place.bit) & 1 == 1)
    }
    return space.verdict(numbered: space.table.result(node) ?? 0)
  }

  /// Returns the behavior with another verdict for the calls in a set.
  package func overriding(_ set: CallSet, with verdict: Verdict) throws(AnalysisError) -> FilterBehavior {
    let other = try space.behavior(verdict)
    return try overriding(set, with: other)
  }

  /// Returns the behavior with the verdicts of another behavior for the calls in a set.
  package func overriding(_ set: CallSet, with other: FilterBehavior) throws(AnalysisError) -> FilterBehavior
  {
    precondition(set.space === space && other.space === space, "sets of different spaces cannot be compared")
    return FilterBehavior(space: space, node: try space.table.ifThenElse(set.node, other.node, node))
  }

  /// Returns the behavior with each verdict replaced.
  package func mapping(_ change: (Verdict) -> Verdict) throws(AnalysisError) -> FilterBehavior {
    var results: [Node: Node] = [:]
    let mapped = try space.table.mapping(node, &results) { [space] number in
      space.number(change(space.verdict(numbered: number)))
    }
    return FilterBehavior(space: space, node: mapped)
  }

  /// Returns the calls for which two behaviors have different verdicts.
  package func difference(from other: FilterBehavior) throws(AnalysisError) -> CallSet {
    precondition(other.space === space, "behaviors of different spaces cannot be compared")
    var results: [NodePair: Node] = [:]
    let node = try space.table.combining(node, other.node, &results) { $0 == $1 ? 0 : 1 }
    return CallSet(space: space, node: node)
  }

  /// Returns the combined behavior if this one is of the newer filter.
  package func stackedOn(_ older: FilterBehavior) throws(AnalysisError) -> FilterBehavior {
    precondition(older.space === space, "behaviors of different spaces cannot be compared")
    var results: [NodePair: Node] = [:]
    let node = try space.table.combining(node, older.node, &results) { [space] newer, older in
      let combined = space.verdict(numbered: newer).combined(withOlder: space.verdict(numbered: older))
      return space.number(combined)
    }
    return FilterBehavior(space: space, node: node)
  }
}

extension FilterBehavior: Equatable {
  /// Whether both behaviors have the same verdict for every call. The result is exact, so `true` is a proof.
  package static func == (left: FilterBehavior, right: FilterBehavior) -> Bool {
    precondition(left.space === right.space, "behaviors of different spaces cannot be compared")
    return left.node == right.node
  }
}
