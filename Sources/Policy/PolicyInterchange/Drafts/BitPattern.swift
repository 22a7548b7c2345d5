// SPDX-License-Identifier: Apache-2.0

/// A mask and the required value of the masked bits in a 32-bit number.
struct BitPattern: Hashable, Sendable {
  /// The compared bits.
  var mask: UInt32
  /// The required value of the compared bits.
  var value: UInt32

  /// Returns the fewest patterns that together cover a range. Each pattern is an aligned block, and there are
  /// at most two for each bit.
  static func covering(_ range: ClosedRange<UInt32>) -> [BitPattern] {
    var patterns: [BitPattern] = []
    var next = UInt64(range.lowerBound)
    let end = UInt64(range.upperBound) + 1
    while next < end {
      // The largest aligned block that starts here and does not exceed the range.
      var size: UInt64 = next == 0 ? 1 << 32 : next & (0 &- next)
      while next + size > end { size >>= 1 }
      patterns.append(BitPattern(mask: UInt32(truncatingIfNeeded: 0 &- size), value: UInt32(next)))
      next += size
    }
    return patterns
  }
}
