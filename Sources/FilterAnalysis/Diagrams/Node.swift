// SPDX-License-Identifier: Apache-2.0

/// A function of all bits of a call, by its place in a ``DecisionTable``: two functions of a table are the same exactly if
/// their nodes are.
typealias Node = Int32

/// The order in which bits are asked for.
///
/// First the architecture, then the number, then the arguments, each from its highest bit: so the conditions of one call
/// stand together below its number, and ranges of numbers are short paths.
enum BitOrder {
  /// The bits of a word.
  static let wordBits = 32
  /// The words in their order; the numbers are indices into `struct seccomp_data` as words, the instruction pointer last.
  static let words = [1, 0, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 3, 2]
  /// The level below all bits, where the results stand.
  static let end = Int32(words.count * wordBits)

  /// The place of each word in the order.
  private static let places: [Int] = words.indices.map { word in words.firstIndex(of: word) ?? 0 }

  /// The level of a word's highest bit.
  static func firstLevel(ofWord word: Int) -> Int32 { Int32(places[word] * wordBits) }

  /// The level of a bit of a word; bit 0 is the lowest.
  static func level(ofWord word: Int, bit: Int) -> Int32 {
    firstLevel(ofWord: word) + Int32(wordBits - 1 - bit)
  }

  /// The level at which the number begins.
  static let number = firstLevel(ofWord: 0)

  /// The level at which an argument begins: its upper half, then its lower.
  static func argument(_ index: Int) -> Int32 { firstLevel(ofWord: 5 + 2 * index) }
}
