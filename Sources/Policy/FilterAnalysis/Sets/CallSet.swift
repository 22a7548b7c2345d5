// SPDX-License-Identifier: Apache-2.0

/// A set of calls.
package struct CallSet {
  /// The space that stores the set.
  package let space: CallSpace
  /// The root of the set's diagram.
  let node: Node

  /// Whether the set contains no call. The result is exact, so `true` is a proof.
  package var isEmpty: Bool { node == DecisionTable.emptySet }

  /// Whether the set contains every call.
  package var isEverything: Bool { node == DecisionTable.universalSet }

  /// Returns the calls that are in at least one of the sets.
  package func union(_ other: CallSet) throws(AnalysisError) -> CallSet {
    CallSet(space: space, node: try space.table.or(node, checked(other)))
  }

  /// Returns the calls that are in both sets.
  package func intersection(_ other: CallSet) throws(AnalysisError) -> CallSet {
    CallSet(space: space, node: try space.table.and(node, checked(other)))
  }

  /// Returns the calls that are in this set and not in the other one.
  package func subtracting(_ other: CallSet) throws(AnalysisError) -> CallSet {
    CallSet(space: space, node: try space.table.ifThenElse(checked(other), DecisionTable.emptySet, node))
  }

  /// Returns the calls that are not in the set.
  package func complement() throws(AnalysisError) -> CallSet {
    CallSet(space: space, node: try space.table.not(node))
  }

  /// Whether the other set contains every call of this one.
  package func isSubset(of other: CallSet) throws(AnalysisError) -> Bool { try subtracting(other).isEmpty }

  /// Whether a call is in the set.
  package func contains(_ input: SeccompData) -> Bool {
    let words = input.words
    var node = node
    while space.table.result(node) == nil {
      let place = space.table.order.position(space.table.level(node))
      node = space.table.branch(node, words[place.word] >> UInt32(place.bit) & 1 == 1)
    }
    return node == DecisionTable.universalSet
  }

  /// Returns a call of the set, or `nil` if the set is empty.
  ///
  /// The call has the first of the given architectures for which the set has a call, or any other
  /// architecture. It has the lowest number and, for that number, the lowest arguments.
  package func witness(preferring architectures: [UInt32] = []) throws(AnalysisError) -> SeccompData? {
    for token in architectures {
      let part = try intersection(try space.architecture(token))
      if !part.isEmpty { return part.lowest }
    }
    return lowest
  }

  /// The lowest call, or `nil` if the set is empty.
  private var lowest: SeccompData? {
    guard !isEmpty else { return nil }
    var words = [UInt32](repeating: 0, count: SeccompData.wordCount)
    var node = node
    while space.table.result(node) == nil {
      let low = space.table.branch(node, false)
      if low != DecisionTable.emptySet {
        node = low
      } else {
        let place = space.table.order.position(space.table.level(node))
        words[place.word] |= 1 << UInt32(place.bit)
        node = space.table.branch(node, true)
      }
    }
    return SeccompData(words: words)
  }

  private func checked(_ other: CallSet) -> Node {
    precondition(other.space === space, "sets of different spaces cannot be compared")
    return other.node
  }
}

extension CallSet: Equatable {
  /// Whether both sets contain the same calls. The result is exact, so `true` is a proof.
  package static func == (left: CallSet, right: CallSet) -> Bool { left.node == left.checked(right) }
}
