// SPDX-License-Identifier: Apache-2.0

extension DecisionTable {
  /// Returns the calls for which a word is in one of several disjoint ranges in ascending order.
  ///
  /// Each node of the set is created once, from the lowest bit to the highest. Comparing the word with each
  /// bound has the same result, but creates hundreds of intermediate sets.
  mutating func values(ofWord word: Int, in ranges: [ClosedRange<UInt32>]) throws(AnalysisError) -> Node {
    try values(ofWord: word, Block(first: 0, bits: BitOrder.wordBits), ranges[...])
  }

  /// Values with the same highest bits.
  private struct Block {
    /// The lowest value.
    var first: UInt32
    /// The number of lower bits in which the values differ.
    var bits: Int

    /// The highest value.
    var last: UInt32 { first | UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(bits)) - 1) }
    /// The values whose next bit is zero.
    var lower: Block { Block(first: first, bits: bits - 1) }
    /// The values whose next bit is one.
    var upper: Block { Block(first: first | 1 << UInt32(bits - 1), bits: bits - 1) }
  }

  /// Returns the calls for which the lower bits of a word are those of a value of a block. `ranges` has only
  /// ranges that overlap the block.
  private mutating func values(
    ofWord word: Int,
    _ block: Block,
    _ ranges: ArraySlice<ClosedRange<UInt32>>
  ) throws(AnalysisError) -> Node {
    guard let range = ranges.first else { return Self.emptySet }
    if range.lowerBound <= block.first, block.last <= range.upperBound { return Self.universalSet }
    try step()
    let (lower, upper) = (block.lower, block.upper)
    let end = ranges.firstIndex { $0.lowerBound >= upper.first } ?? ranges.endIndex
    let start = ranges.firstIndex { $0.upperBound >= upper.first } ?? ranges.endIndex
    let low = try values(ofWord: word, lower, ranges[..<end])
    let high = try values(ofWord: word, upper, ranges[start...])
    return try node(order.level(ofWord: word, bit: upper.bits), low: low, high: high)
  }
}
