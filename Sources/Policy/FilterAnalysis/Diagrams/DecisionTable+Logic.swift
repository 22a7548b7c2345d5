// SPDX-License-Identifier: Apache-2.0

extension DecisionTable {
  /// What is in both sets.
  mutating func and(_ first: Node, _ second: Node) throws(AnalysisError) -> Node {
    try choose(first, second, Self.no)
  }

  /// What is in one of the sets, or in both.
  mutating func or(_ first: Node, _ second: Node) throws(AnalysisError) -> Node {
    try choose(first, Self.yes, second)
  }

  /// What is not in the set.
  mutating func not(_ set: Node) throws(AnalysisError) -> Node { try choose(set, Self.no, Self.yes) }

  /// What is in exactly one of the sets.
  mutating func exclusiveOr(_ first: Node, _ second: Node) throws(AnalysisError) -> Node {
    let complement = try not(second)
    return try choose(first, complement, second)
  }

  /// A word of `struct seccomp_data`.
  mutating func word(_ index: Int) throws(AnalysisError) -> SymbolicWord {
    var bits: [Node] = []
    for bit in 0..<BitOrder.wordBits {
      bits.append(try node(order.level(ofWord: index, bit: bit), low: Self.no, high: Self.yes))
    }
    return SymbolicWord(bits: bits)
  }

  /// The calls in which two values are the same.
  mutating func equal(_ left: SymbolicWord, _ right: SymbolicWord) throws(AnalysisError) -> Node {
    var result = Self.yes
    for (first, second) in zip(left.bits, right.bits) {
      let complement = try not(second)
      let same = try choose(first, second, complement)
      result = try and(same, result)
    }
    return result
  }

  /// The calls in which one value is greater than another.
  mutating func greater(_ left: SymbolicWord, _ right: SymbolicWord) throws(AnalysisError) -> Node {
    var result = Self.no
    for (first, second) in zip(left.bits, right.bits) {
      // Of a higher bit it depends, unless it is the same in both.
      let ifSet = try choose(second, result, Self.yes)
      let ifClear = try choose(second, Self.no, result)
      result = try choose(first, ifSet, ifClear)
    }
    return result
  }

  /// The calls in which two values have a bit in common.
  mutating func anyBit(_ left: SymbolicWord, _ right: SymbolicWord) throws(AnalysisError) -> Node {
    var result = Self.no
    for (first, second) in zip(left.bits, right.bits) {
      let both = try and(first, second)
      result = try or(both, result)
    }
    return result
  }

  /// The calls of which a comparison is true.
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
