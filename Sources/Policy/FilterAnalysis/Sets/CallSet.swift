// SPDX-License-Identifier: Apache-2.0

/// A set of calls.
package struct CallSet {
  /// Where it is kept.
  package let space: CallSpace
  /// The set's diagram.
  let node: Node

  /// Whether no call is in it: this is a proof.
  package var isEmpty: Bool { node == DecisionTable.no }

  /// Whether every call is in it.
  package var isEverything: Bool { node == DecisionTable.yes }

  /// What is in one of the two, or in both.
  package func union(_ other: CallSet) throws(AnalysisError) -> CallSet {
    CallSet(space: space, node: try space.table.or(node, checked(other)))
  }

  /// What is in both.
  package func intersection(_ other: CallSet) throws(AnalysisError) -> CallSet {
    CallSet(space: space, node: try space.table.and(node, checked(other)))
  }

  /// What is in this one and not in the other.
  package func subtracting(_ other: CallSet) throws(AnalysisError) -> CallSet {
    CallSet(space: space, node: try space.table.choose(checked(other), DecisionTable.no, node))
  }

  /// What is not in it.
  package func complement() throws(AnalysisError) -> CallSet {
    CallSet(space: space, node: try space.table.not(node))
  }

  /// Whether all of it is in the other.
  package func isSubset(of other: CallSet) throws(AnalysisError) -> Bool { try subtracting(other).isEmpty }

  /// Whether a call is in it.
  package func contains(_ input: CallInput) -> Bool {
    let words = input.words
    var node = node
    while space.table.result(node) == nil {
      let place = space.table.order.place(space.table.level(node))
      node = space.table.branch(node, words[place.word] >> UInt32(place.bit) & 1 == 1)
    }
    return node == DecisionTable.yes
  }

  /// Some call of the set, nil if it is empty: of the first architecture among those named that has one, else of any,
  /// with the lowest number, and for that the lowest arguments.
  package func witness(preferring architectures: [UInt32] = []) throws(AnalysisError) -> CallInput? {
    for token in architectures {
      let part = try intersection(try space.architecture(token))
      if !part.isEmpty { return part.lowest }
    }
    return lowest
  }

  /// The lowest call; nil if there is none.
  private var lowest: CallInput? {
    guard !isEmpty else { return nil }
    var words = [UInt32](repeating: 0, count: CallInput.wordCount)
    var node = node
    while space.table.result(node) == nil {
      let low = space.table.branch(node, false)
      if low != DecisionTable.no {
        node = low
      } else {
        let place = space.table.order.place(space.table.level(node))
        words[place.word] |= 1 << UInt32(place.bit)
        node = space.table.branch(node, true)
      }
    }
    return CallInput(words: words)
  }

  private func checked(_ other: CallSet) -> Node {
    precondition(other.space === space, "sets of two spaces cannot be compared")
    return other.node
  }
}

extension CallSet: Equatable {
  /// Whether the same calls are in both: this is a proof.
  package static func == (left: CallSet, right: CallSet) -> Bool { left.node == left.checked(right) }
}
