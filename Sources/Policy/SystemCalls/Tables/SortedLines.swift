// SPDX-License-Identifier: Apache-2.0

internal import CSystemCalls

/// A table in text form: a line for each entry, with its name first, sorted by the bytes of the names.
///
/// The text is searched in place. For the few entries that a policy names, this takes less time than creating
/// strings and dictionaries of all entries. Lines that begin with `#` or `;` precede every name, and do not
/// belong to an entry.
package struct SortedLines {
  /// The text, which is valid as long as the process runs.
  package let bytes: UnsafeBufferPointer<UInt8>

  /// Creates a table from a literal.
  package init(_ text: StaticString) {
    bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Creates a table from a file that is embedded in the program.
  init(_ file: embedded_file) { bytes = UnsafeBufferPointer(start: file.bytes, count: file.count) }

  /// Returns the words after the name of an entry, or `nil` if there is no such entry.
  package func words(after name: String) -> [String]? {
    line(named: name)?.split(separator: UInt8(ascii: " ")).dropFirst().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Whether the table has an entry with this name.
  package func contains(_ name: String) -> Bool { line(named: name) != nil }

  /// Returns the line of an entry, found by binary search.
  ///
  /// The search is C code, because a policy names hundreds of entries and each launch reads a policy.
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
