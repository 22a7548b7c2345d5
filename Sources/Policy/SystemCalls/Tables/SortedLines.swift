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

  /// Returns the line of an entry, found by binary search. C code searches: a policy names hundreds of entries, and each launch
  /// reads a policy.
  private func line(named name: String) -> UnsafeBufferPointer<UInt8>? {
    guard let start = bytes.baseAddress else { return nil }
    var name = name
    let line = name.withUTF8 { name -> embedded_file in
      guard let first = name.baseAddress else { return embedded_file(bytes: start, count: 0) }
      return sorted_line(embedded_file(bytes: start, count: bytes.count), first, name.count)
    }
    return line.count == 0 ? nil : UnsafeBufferPointer(start: line.bytes, count: line.count)
  }
}
