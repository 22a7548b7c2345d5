// SPDX-License-Identifier: Apache-2.0

extension DecisionTable {
  /// The calls in which a word is in one of some ranges, which are in ascending order and have nothing in common.
  ///
  /// Each node of the set is made once, from the lowest bit to the highest. Comparisons of the word with each bound come to
  /// the same, by a hundred sets that nobody asks for again.
  mutating func values(ofWord word: Int, in ranges: [ClosedRange<UInt32>]) throws(AnalysisError) -> Node {
    try values(ofWord: word, Block(first: 0, bits: BitOrder.wordBits), ranges[...])
  }

  /// Values that have their highest bits in common.
  private struct Block {
    /// The lowest of them.
    var first: UInt32
    /// How many bits they do not have in common.
    var bits: Int

    /// The highest of them.
    var last: UInt32 { first | UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(bits)) - 1) }
    /// Those whose next bit is zero.
    var lower: Block { Block(first: first, bits: bits - 1) }
    /// Those whose next bit is one.
    var upper: Block { Block(first: first | 1 << UInt32(bits - 1), bits: bits - 1) }
  }

  /// The calls in which the lower bits of a word are those of a value of a block; only ranges that meet it are looked at.
  private mutating func values(
    ofWord word: Int,
    _ block: Block,
    _ ranges: ArraySlice<ClosedRange<UInt32>>
  ) throws(AnalysisError) -> Node {
    guard let range = ranges.first else { return Self.no }
    if range.lowerBound <= block.first, block.last <= range.upperBound { return Self.yes }
    try step()
    let (lower, upper) = (block.lower, block.upper)
    let end = ranges.firstIndex { $0.lowerBound >= upper.first } ?? ranges.endIndex
    let start = ranges.firstIndex { $0.upperBound >= upper.first } ?? ranges.endIndex
    let low = try values(ofWord: word, lower, ranges[..<end])
    let high = try values(ofWord: word, upper, ranges[start...])
    return try node(order.level(ofWord: word, bit: upper.bits), low: low, high: high)
  }
}
