// SPDX-License-Identifier: Apache-2.0

/// Some bits of a 32-bit number, and what they must be.
struct BitPattern: Hashable, Sendable {
  /// The bits.
  var mask: UInt32
  /// What they must be.
  var value: UInt32

  /// The fewest patterns that together are a range: aligned blocks, at most two for each bit.
  static func covering(_ range: ClosedRange<UInt32>) -> [BitPattern] {
    var patterns: [BitPattern] = []
    var next = UInt64(range.lowerBound)
    let end = UInt64(range.upperBound) + 1
    while next < end {
      // The largest aligned block that begins here and does not go beyond the end.
      var size: UInt64 = next == 0 ? 1 << 32 : next & (0 &- next)
      while next + size > end { size >>= 1 }
      patterns.append(BitPattern(mask: UInt32(truncatingIfNeeded: 0 &- size), value: UInt32(next)))
      next += size
    }
    return patterns
  }
}
