// SPDX-License-Identifier: Apache-2.0

/// A 32-bit value that depends on the call: for each of its bits the set of calls in which it is one.
struct SymbolicWord: Hashable {
  /// The bits, the lowest first.
  var bits: [Node]

  /// The same value in every call.
  init(_ value: UInt32) {
    bits = (0..<BitOrder.wordBits).map { value >> UInt32($0) & 1 == 1 ? DecisionTable.yes : DecisionTable.no }
  }

  /// These bits, the lowest first.
  init(bits: [Node]) { self.bits = bits }

  /// The value, if it is the same in every call.
  var constant: UInt32? {
    var value: UInt32 = 0
    for (index, bit) in bits.enumerated() {
      guard bit == DecisionTable.yes || bit == DecisionTable.no else { return nil }
      value |= UInt32(bit) << UInt32(index)
    }
    return value
  }

  /// The value shifted to the left by a known distance.
  func shiftedLeft(_ distance: Int) -> SymbolicWord {
    SymbolicWord(
      bits: Array(([Node](repeating: DecisionTable.no, count: distance) + bits).prefix(bits.count))
    )
  }

  /// The value shifted to the right by a known distance.
  func shiftedRight(_ distance: Int) -> SymbolicWord {
    SymbolicWord(
      bits: Array(bits.dropFirst(distance))
        + [Node](repeating: DecisionTable.no, count: min(distance, bits.count))
    )
  }
}
