// SPDX-License-Identifier: Apache-2.0

/// What operations came to earlier. Each result has one place; a later one may take it, which costs time and nothing else.
struct OperationMemory {
  /// One result, with what it is the result of.
  private struct Entry {
    /// The operands.
    var first: Int32 = -1
    var second: Int32 = -1
    var third: Int32 = -1
    /// What they came to.
    var result: Node = -1
  }

  /// The places; a power of two of them.
  private var entries: [Entry]

  /// Room for so many results, a power of two.
  init(size: Int) { entries = [Entry](repeating: Entry(), count: size) }

  /// The result, if it is still known.
  func result(_ first: Int32, _ second: Int32, _ third: Int32) -> Node? {
    let entry = entries[Self.hash(first, second, third) & (entries.count - 1)]
    return entry.first == first && entry.second == second && entry.third == third ? entry.result : nil
  }

  /// Keeps a result.
  mutating func remember(_ first: Int32, _ second: Int32, _ third: Int32, _ result: Node) {
    entries[Self.hash(first, second, third) & (entries.count - 1)] =
      Entry(first: first, second: second, third: third, result: result)
  }

  /// A number that three numbers are spread by.
  static func hash(_ first: Int32, _ second: Int32, _ third: Int32) -> Int {
    var mixed = UInt64(UInt32(bitPattern: first)) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ UInt64(UInt32(bitPattern: second))) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 29) ^ UInt64(UInt32(bitPattern: third))) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 31)) & 0x7FFF_FFFF_FFFF_FFFF)
  }
}
