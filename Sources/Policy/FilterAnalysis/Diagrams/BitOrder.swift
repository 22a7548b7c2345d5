// SPDX-License-Identifier: Apache-2.0

/// The order of the bits of a call in decision diagrams.
///
/// The result of an analysis does not depend on the order. The size of its diagrams does, and it depends on
/// the comparisons in the filter.
package enum BitArrangement: Sendable, Hashable, CaseIterable {
  /// The architecture, then the number, then the arguments one by one, each from its highest bit.
  ///
  /// The conditions of one call are grouped below its number, and ranges of numbers are short paths.
  case wordByWord
  /// The architecture, then the highest bits of number and arguments, then their next bits.
  ///
  /// Comparisons and sums of number and arguments have small diagrams.
  case interleaved
}

/// The variable order of decision diagrams: the level of each bit of each word.
struct BitOrder: Sendable {
  /// The number of bits in a word.
  static let wordBits = 32
  /// The words in the order of ``BitArrangement/wordByWord``. Each number is the index of a 32-bit word in
  /// `struct seccomp_data`; the instruction pointer is last.
  static let words = [1, 0, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 3, 2]
  /// The level below all bits, at which the results are.
  static let terminalLevel = Int32(words.count * wordBits)

  /// A bit of a word; bit 0 is the lowest.
  struct BitPosition: Sendable, Hashable {
    /// The index of the word.
    var word: Int
    /// The index of the bit.
    var bit: Int
  }

  /// The arrangement of the bits.
  let arrangement: BitArrangement
  /// The bits, by level.
  private let places: [BitPosition]
  /// The levels, by word and bit.
  private let levels: [Int32]

  /// Creates the order of an arrangement.
  init(_ arrangement: BitArrangement) {
    self.arrangement = arrangement
    let bits = (0..<Self.wordBits).reversed()
    switch arrangement {
    case .wordByWord:
      places = Self.words.flatMap { word in bits.map { BitPosition(word: word, bit: $0) } }
    case .interleaved:
      // The lower halves precede the upper ones, which few filters compare.
      let rest = [0, 4, 6, 8, 10, 12, 14, 5, 7, 9, 11, 13, 15, 2, 3]
      places =
        bits.map { BitPosition(word: 1, bit: $0) }
        + bits.flatMap { bit in rest.map { BitPosition(word: $0, bit: bit) } }
    }
    var levels = [Int32](repeating: 0, count: places.count)
    for (level, place) in places.enumerated() {
      levels[place.word * Self.wordBits + place.bit] = Int32(level)
    }
    self.levels = levels
  }

  /// Returns the level of a bit of a word.
  func level(ofWord word: Int, bit: Int) -> Int32 { levels[word * Self.wordBits + bit] }

  /// Returns the bit that a level tests.
  func position(_ level: Int32) -> BitPosition { places[Int(level)] }

  /// Returns the level of a word's highest bit in a word-by-word arrangement.
  static func firstLevel(ofWord word: Int) -> Int32 {
    Int32((words.firstIndex(of: word) ?? words.count) * wordBits)
  }
}
