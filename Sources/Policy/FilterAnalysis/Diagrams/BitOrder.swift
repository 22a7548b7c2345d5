// SPDX-License-Identifier: Apache-2.0

/// How the bits of a call are arranged in diagrams. Every arrangement gives the same answers; which of them are short
/// enough to be given depends on what a filter compares.
package enum BitArrangement: Sendable, Hashable, CaseIterable {
  /// First the architecture, then the number, then the arguments one by one, each from its highest bit: the conditions of
  /// one call stand together below its number, and ranges of numbers are short paths.
  case wordByWord
  /// After the architecture the highest bits of number and arguments, then their next ones: what compares them with one
  /// another, or adds them, is short.
  case interleaved
}

/// The order in which bits are asked for: which level each bit of each word has.
struct BitOrder: Sendable {
  /// The bits of a word.
  static let wordBits = 32
  /// The words in the order of ``BitArrangement/wordByWord``; the numbers are indices into `struct seccomp_data` as words,
  /// the instruction pointer last.
  static let words = [1, 0, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 3, 2]
  /// The level below all bits, where the results stand.
  static let end = Int32(words.count * wordBits)

  /// A bit of a word; bit 0 is the lowest.
  struct Place: Sendable, Hashable {
    /// The word.
    var word: Int
    /// The bit.
    var bit: Int
  }

  /// Which order it is.
  let arrangement: BitArrangement
  /// The bits by their levels.
  private let places: [Place]
  /// The levels by word and bit.
  private let levels: [Int32]

  /// The order of an arrangement.
  init(_ arrangement: BitArrangement) {
    self.arrangement = arrangement
    let bits = (0..<Self.wordBits).reversed()
    switch arrangement {
    case .wordByWord:
      places = Self.words.flatMap { word in bits.map { Place(word: word, bit: $0) } }
    case .interleaved:
      // The lower halves before the upper ones, which few filters compare.
      let rest = [0, 4, 6, 8, 10, 12, 14, 5, 7, 9, 11, 13, 15, 2, 3]
      places =
        bits.map { Place(word: 1, bit: $0) } + bits.flatMap { bit in rest.map { Place(word: $0, bit: bit) } }
    }
    var levels = [Int32](repeating: 0, count: places.count)
    for (level, place) in places.enumerated() {
      levels[place.word * Self.wordBits + place.bit] = Int32(level)
    }
    self.levels = levels
  }

  /// The level of a bit of a word.
  func level(ofWord word: Int, bit: Int) -> Int32 { levels[word * Self.wordBits + bit] }

  /// The bit that a level asks for.
  func place(_ level: Int32) -> Place { places[Int(level)] }

  /// The level of a word's highest bit, where words stand one by one.
  static func firstLevel(ofWord word: Int) -> Int32 {
    Int32((words.firstIndex(of: word) ?? words.count) * wordBits)
  }
}
