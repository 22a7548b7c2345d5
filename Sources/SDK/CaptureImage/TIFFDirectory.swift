// SPDX-License-Identifier: Apache-2.0

/// A directory of a TIFF file in big-endian byte order.
struct TIFFDirectory {
  /// The number of bytes of an entry.
  static let entrySize = 12

  private struct Entry {
    let tag: Int
    let type: Int
    let count: Int
    let value: [UInt8]
  }

  private var entries: [Entry] = []

  /// Adds ASCII text; other characters become question marks. The text has at most 255 characters.
  mutating func addText(_ tag: Int, _ text: String) {
    let ascii = text.unicodeScalars.prefix(255).map {
      (0x20...0x7E).contains($0.value) ? UInt8($0.value) : 0x3F
    }
    entries.append(Entry(tag: tag, type: 2, count: ascii.count + 1, value: ascii + [0]))
  }

  /// Adds bytes that are numbers.
  mutating func addBytes(_ tag: Int, _ bytes: [UInt8]) {
    entries.append(Entry(tag: tag, type: 1, count: bytes.count, value: bytes))
  }

  /// Adds 16-bit numbers.
  mutating func addShort(_ tag: Int, _ numbers: Int...) {
    let bytes = numbers.flatMap { $0.bigEndianBytes(2) }
    entries.append(Entry(tag: tag, type: 3, count: numbers.count, value: bytes))
  }

  /// Adds a 32-bit number.
  mutating func addLong(_ tag: Int, _ number: Int) {
    entries.append(Entry(tag: tag, type: 4, count: 1, value: number.bigEndianBytes(4)))
  }

  /// Adds a whole number as a fraction.
  mutating func addRational(_ tag: Int, _ number: Int) { addRationals(tag, [number], denominator: 1) }

  /// Adds fractions of 32-bit numbers with the same denominator. With `isSigned`, numerators can be negative.
  mutating func addRationals(_ tag: Int, _ numerators: [Int], denominator: Int, isSigned: Bool = false) {
    let value = numerators.flatMap { $0.bigEndianBytes(4) + denominator.bigEndianBytes(4) }
    entries.append(Entry(tag: tag, type: isSigned ? 10 : 5, count: numerators.count, value: value))
  }

  /// Adds bytes without a type.
  mutating func addUndefined(_ tag: Int, _ bytes: [UInt8]) {
    entries.append(Entry(tag: tag, type: 7, count: bytes.count, value: bytes))
  }

  /// The number of bytes of the directory and of the values that do not fit into its entries.
  var size: Int {
    entries.reduce(6 + entries.count * Self.entrySize) {
      $0 + ($1.value.count > 4 ? Self.even($1.value.count) : 0)
    }
  }

  /// Returns the directory and its values for an offset in the file.
  func bytes(at offset: Int) -> [UInt8] {
    var directory = entries.count.bigEndianBytes(2)
    var values: [UInt8] = []
    let start = offset + 6 + entries.count * Self.entrySize
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      directory += entry.tag.bigEndianBytes(2) + entry.type.bigEndianBytes(2) + entry.count.bigEndianBytes(4)
      if entry.value.count <= 4 {
        directory += entry.value + Array(repeating: 0, count: 4 - entry.value.count)
      } else {
        directory += (start + values.count).bigEndianBytes(4)
        values += entry.value + Array(repeating: 0, count: Self.even(entry.value.count) - entry.value.count)
      }
    }
    // There is no next directory.
    return directory + 0.bigEndianBytes(4) + values
  }

  /// Returns the next even number, because values begin at even offsets.
  private static func even(_ count: Int) -> Int { (count + 1) / 2 * 2 }
}

extension Int {
  /// Returns the lowest `count` bytes, highest byte first.
  func bigEndianBytes(_ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
  }
}
