// SPDX-License-Identifier: Apache-2.0

extension DecisionTable {
  /// Returns the intersection of two sets.
  mutating func and(_ first: Node, _ second: Node) throws(AnalysisError) -> Node {
    try ifThenElse(first, second, Self.emptySet)
  }

  /// Returns the union of two sets.
  mutating func or(_ first: Node, _ second: Node) throws(AnalysisError) -> Node {
    try ifThenElse(first, Self.universalSet, second)
  }

  /// Returns the complement of a set.
  mutating func not(_ set: Node) throws(AnalysisError) -> Node {
    try ifThenElse(set, Self.emptySet, Self.universalSet)
  }

  /// Returns the calls that are in exactly one of two sets.
  mutating func exclusiveOr(_ first: Node, _ second: Node) throws(AnalysisError) -> Node {
    let complement = try not(second)
    return try ifThenElse(first, complement, second)
  }

  /// Returns a word of `struct seccomp_data`.
  mutating func word(_ index: Int) throws(AnalysisError) -> SymbolicWord {
    var bits: [Node] = []
    for bit in 0..<BitOrder.wordBits {
      bits.append(try node(order.level(ofWord: index, bit: bit), low: Self.emptySet, high: Self.universalSet))
    }
    return SymbolicWord(bits: bits)
  }

  /// Returns the calls for which two words are equal.
  mutating func equal(_ left: SymbolicWord, _ right: SymbolicWord) throws(AnalysisError) -> Node {
    var result = Self.universalSet
    for (first, second) in zip(left.bits, right.bits) {
      let complement = try not(second)
      let same = try ifThenElse(first, second, complement)
      result = try and(same, result)
    }
    return result
  }

  /// Returns the calls for which one word is greater than another.
  mutating func greater(_ left: SymbolicWord, _ right: SymbolicWord) throws(AnalysisError) -> Node {
    var result = Self.emptySet
    for (first, second) in zip(left.bits, right.bits) {
      // A higher bit decides unless it is the same in both words.
      let ifSet = try ifThenElse(second, result, Self.universalSet)
      let ifClear = try ifThenElse(second, Self.emptySet, result)
      result = try ifThenElse(first, ifSet, ifClear)
    }
    return result
  }

  /// Returns the calls for which two words have a set bit in common.
  mutating func anyBit(_ left: SymbolicWord, _ right: SymbolicWord) throws(AnalysisError) -> Node {
    var result = Self.emptySet
    for (first, second) in zip(left.bits, right.bits) {
      let both = try and(first, second)
      result = try or(both, result)
    }
    return result
  }

  /// Returns the calls for which a comparison is true.
  mutating func compare(
    _ comparison: FilterInstruction.Comparison,
    _ left: SymbolicWord,
    _ right: SymbolicWord
  ) throws(AnalysisError) -> Node {
    switch comparison {
    case .equal: return try equal(left, right)
    case .greater: return try greater(left, right)
    case .greaterOrEqual:
      let less = try greater(right, left)
      return try not(less)
    case .anyBit: return try anyBit(left, right)
    }
  }
}
