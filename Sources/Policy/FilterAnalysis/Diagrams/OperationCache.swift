// SPDX-License-Identifier: Apache-2.0

/// A cache of results of operations. A newer result can replace an older one with the same hash, which only
/// costs time.
struct OperationCache {
  /// A result with its operands.
  private struct Entry {
    /// The operands.
    var first: Int32 = -1
    var second: Int32 = -1
    var third: Int32 = -1
    var result: Node = -1
  }

  /// The entries; their number is a power of two.
  private var entries: [Entry]

  /// Creates a cache. The size must be a power of two.
  init(size: Int) { entries = [Entry](repeating: Entry(), count: size) }

  /// Returns the result for three operands, or `nil` if the cache does not have it.
  func result(_ first: Int32, _ second: Int32, _ third: Int32) -> Node? {
    let entry = entries[Self.hash(first, second, third) & (entries.count - 1)]
    return entry.first == first && entry.second == second && entry.third == third ? entry.result : nil
  }

  /// Stores a result.
  mutating func insert(_ first: Int32, _ second: Int32, _ third: Int32, _ result: Node) {
    entries[Self.hash(first, second, third) & (entries.count - 1)] =
      Entry(first: first, second: second, third: third, result: result)
  }

  /// Returns a hash of three numbers.
  static func hash(_ first: Int32, _ second: Int32, _ third: Int32) -> Int {
    var mixed = UInt64(UInt32(bitPattern: first)) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ UInt64(UInt32(bitPattern: second))) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 29) ^ UInt64(UInt32(bitPattern: third))) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 31)) & 0x7FFF_FFFF_FFFF_FFFF)
  }
}
