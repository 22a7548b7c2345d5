// SPDX-License-Identifier: Apache-2.0

/// A 32-bit value that depends on the call: for each bit, the set of calls for which the bit is one.
struct SymbolicWord: Hashable {
  /// The bits, lowest first.
  var bits: [Node]

  /// Creates a word that has the same value for every call.
  init(_ value: UInt32) {
    bits = (0..<BitOrder.wordBits).map {
      value >> UInt32($0) & 1 == 1 ? DecisionTable.universalSet : DecisionTable.emptySet
    }
  }

  /// Creates a word from its bits, lowest first.
  init(bits: [Node]) { self.bits = bits }

  /// The value, or `nil` if it depends on the call.
  var constant: UInt32? {
    var value: UInt32 = 0
    for (index, bit) in bits.enumerated() {
      guard bit == DecisionTable.universalSet || bit == DecisionTable.emptySet else { return nil }
      value |= UInt32(bit) << UInt32(index)
    }
    return value
  }

  /// Returns the value shifted to the left by a constant distance.
  func shiftedLeft(_ distance: Int) -> SymbolicWord {
    SymbolicWord(
      bits: Array(([Node](repeating: DecisionTable.emptySet, count: distance) + bits).prefix(bits.count))
    )
  }

  /// Returns the value shifted to the right by a constant distance.
  func shiftedRight(_ distance: Int) -> SymbolicWord {
    SymbolicWord(
      bits: Array(bits.dropFirst(distance))
        + [Node](repeating: DecisionTable.emptySet, count: min(distance, bits.count))
    )
  }
}
