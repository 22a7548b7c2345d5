// SPDX-License-Identifier: Apache-2.0

internal import CSystemCalls

/// A table that is text: a line for each entry, its name first, sorted by the bytes of the names.
///
/// The text is searched in place. A policy that names a few entries finds them in less time than it takes to create strings
/// and dictionaries of all entries. Lines that begin with `#` or `;` precede every name, and belong to no entry.
package struct SortedLines {
  /// The text, which exists as long as the process.
  package let bytes: UnsafeBufferPointer<UInt8>

  /// Creates a table of a literal.
  package init(_ text: StaticString) {
    bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Creates a table of a file that is part of the program.
  init(_ file: embedded_file) { bytes = UnsafeBufferPointer(start: file.bytes, count: file.count) }

  /// Returns the words after the name of an entry, or `nil` if there is no such entry.
  package func words(after name: String) -> [String]? {
    line(named: name)?.split(separator: UInt8(ascii: " ")).dropFirst().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Whether there is an entry with this name.
  package func has(_ name: String) -> Bool { line(named: name) != nil }

  /// Returns the line of an entry, found by binary search.
  private func line(named name: String) -> Slice<UnsafeBufferPointer<UInt8>>? {
    var name = name
    return name.withUTF8 { name in
      var (first, end) = (0, bytes.count)
      while first < end {
        let middle = first + (end - first) / 2
        let start = bytes[first..<middle].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? first
        let next = bytes[middle..<end].firstIndex(of: UInt8(ascii: "\n")) ?? end
        switch Self.order(of: name, bytes[start..<next]) {
        case 0: return bytes[start..<next]
        case ..<0: end = start
        default: first = next + 1
        }
      }
      return nil
    }
  }

  /// Returns a number below, equal to or above zero if a name precedes that of a line, is the same, or follows it.
  private static func order(
    of name: UnsafeBufferPointer<UInt8>,
    _ line: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Int {
    var place = line.startIndex
    for byte in name {
      // The name of the line ends first, and so precedes the other.
      guard place < line.endIndex, line[place] != UInt8(ascii: " ") else { return 1 }
      if byte != line[place] { return Int(byte) - Int(line[place]) }
      place += 1
    }
    return place == line.endIndex || line[place] == UInt8(ascii: " ") ? 0 : -1
  }
}
