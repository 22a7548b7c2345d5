// SPDX-License-Identifier: Apache-2.0

extension DecisionTable {
  /// Returns the result of a calculation. A quotient is only valid for calls with a divisor other than zero.
  mutating func calculate(
    _ calculation: FilterInstruction.Calculation,
    _ left: SymbolicWord,
    _ right: SymbolicWord
  ) throws(AnalysisError) -> SymbolicWord {
    switch calculation {
    case .and:
      return try bitwise(left, right) { table, first, second throws(AnalysisError) in
        try table.and(first, second)
      }
    case .or:
      return try bitwise(left, right) { table, first, second throws(AnalysisError) in
        try table.or(first, second)
      }
    case .xor:
      return try bitwise(left, right) { table, first, second throws(AnalysisError) in
        try table.exclusiveOr(first, second)
      }
    case .add: return try sum(left, right, carry: Self.emptySet).sum
    case .subtract: return try difference(left, right)
    case .multiply: return try product(left, right)
    case .divide: return try quotient(left, right)
    case .shiftLeft: return try shift(left, by: right) { $0.shiftedLeft($1) }
    case .shiftRight: return try shift(left, by: right) { $0.shiftedRight($1) }
    }
  }

  /// Returns a word that equals `then` for the calls in a set, and `otherwise` for all others.
  mutating func ifThenElse(_ set: Node, _ then: SymbolicWord, _ otherwise: SymbolicWord) throws(AnalysisError)
    -> SymbolicWord
  {
    var bits: [Node] = []
    for (first, second) in zip(then.bits, otherwise.bits) { bits.append(try ifThenElse(set, first, second)) }
    return SymbolicWord(bits: bits)
  }

  private mutating func bitwise(
    _ left: SymbolicWord,
    _ right: SymbolicWord,
    _ join: (inout DecisionTable, Node, Node) throws(AnalysisError) -> Node
  ) throws(AnalysisError) -> SymbolicWord {
    var bits: [Node] = []
    for (first, second) in zip(left.bits, right.bits) { bits.append(try join(&self, first, second)) }
    return SymbolicWord(bits: bits)
  }

  /// Returns the sum, and the calls for which it overflows.
  private mutating func sum(
    _ left: SymbolicWord,
    _ right: SymbolicWord,
    carry: Node
  ) throws(AnalysisError) -> (sum: SymbolicWord, carry: Node) {
    var carry = carry
    var bits: [Node] = []
    for (first, second) in zip(left.bits, right.bits) {
      let half = try exclusiveOr(first, second)
      bits.append(try exclusiveOr(half, carry))
      // If the two bits differ, the carry is passed on; otherwise, the new carry is their value.
      carry = try ifThenElse(half, carry, first)
    }
    return (SymbolicWord(bits: bits), carry)
  }

  private mutating func difference(_ left: SymbolicWord, _ right: SymbolicWord) throws(AnalysisError)
    -> SymbolicWord
  {
    var inverse: [Node] = []
    for bit in right.bits { inverse.append(try not(bit)) }
    return try sum(left, SymbolicWord(bits: inverse), carry: Self.universalSet).sum
  }

  private mutating func product(_ left: SymbolicWord, _ right: SymbolicWord) throws(AnalysisError)
    -> SymbolicWord
  {
    // The constant becomes the selector, because most of its bits then need no addition.
    let (factor, selector) = left.constant == nil ? (left, right) : (right, left)
    var result = SymbolicWord(0)
    for (index, bit) in selector.bits.enumerated() where bit != Self.emptySet {
      let summand = try ifThenElse(bit, factor.shiftedLeft(index), SymbolicWord(0))
      result = try sum(result, summand, carry: Self.emptySet).sum
    }
    return result
  }

  private mutating func quotient(_ left: SymbolicWord, _ right: SymbolicWord) throws(AnalysisError)
    -> SymbolicWord
  {
    var remainder = SymbolicWord(0)
    var bits = [Node](repeating: Self.emptySet, count: BitOrder.wordBits)
    for index in left.bits.indices.reversed() {
      // The bit that is shifted out makes the remainder larger than any divisor.
      let overflow = remainder.bits[BitOrder.wordBits - 1]
      remainder = remainder.shiftedLeft(1)
      remainder.bits[0] = left.bits[index]
      let less = try greater(right, remainder)
      let fits = try ifThenElse(overflow, Self.universalSet, try not(less))
      let reduced = try difference(remainder, right)
      remainder = try ifThenElse(fits, reduced, remainder)
      bits[index] = fits
    }
    return SymbolicWord(bits: bits)
  }

  /// Returns a shifted word. Only five bits of the distance are used, as in the kernel.
  private mutating func shift(
    _ value: SymbolicWord,
    by distance: SymbolicWord,
    _ shifted: (SymbolicWord, Int) -> SymbolicWord
  ) throws(AnalysisError) -> SymbolicWord {
    var result = value
    for index in 0..<5 where distance.bits[index] != Self.emptySet {
      result = try ifThenElse(distance.bits[index], shifted(result, 1 << index), result)
    }
    return result
  }
}
