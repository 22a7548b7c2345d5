// SPDX-License-Identifier: Apache-2.0

/// A table that is a text, with a line for each entry: its name, and words. The lines are sorted by their names, as bytes.
///
/// It is looked through where it lies. Who looks for a few names, as a policy does, finds them in less time than it takes to make
/// strings and dictionaries of all entries.
enum TableText {
  /// The words after the name of an entry; nil if there is none with this name.
  static func words(after name: String, in text: StaticString) -> [String]? {
    line(named: name, in: text)?.split(separator: UInt8(ascii: " ")).dropFirst().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Whether there is an entry with this name.
  static func has(_ name: String, in text: StaticString) -> Bool { line(named: name, in: text) != nil }

  /// The bytes of a table.
  static func bytes(_ text: StaticString) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// The line of an entry: the half in which it would stand is halved until it is found.
  private static func line(named name: String, in text: StaticString) -> Slice<UnsafeBufferPointer<UInt8>>? {
    var name = name
    return name.withUTF8 { name in
      let bytes = bytes(text)
      var (first, end) = (0, bytes.count)
      while first < end {
        let middle = first + (end - first) / 2
        let start = bytes[first..<middle].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? first
        let next = bytes[middle..<end].firstIndex(of: UInt8(ascii: "\n")) ?? end
        switch order(of: name, bytes[start..<next]) {
        case 0: return bytes[start..<next]
        case ..<0: end = start
        default: first = next + 1
        }
      }
      return nil
    }
  }

  /// Whether a name comes before that of a line, as a number below, above or equal to zero.
  private static func order(
    of name: UnsafeBufferPointer<UInt8>,
    _ line: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Int {
    var place = line.startIndex
    for byte in name {
      // The line's name has ended, which is the shorter one then.
      guard place < line.endIndex, line[place] != UInt8(ascii: " ") else { return 1 }
      if byte != line[place] { return Int(byte) - Int(line[place]) }
      place += 1
    }
    return place == line.endIndex || line[place] == UInt8(ascii: " ") ? 0 : -1
  }
}
