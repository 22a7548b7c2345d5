// SPDX-License-Identifier: Apache-2.0

/// A table that is a text, with a line for each entry: its name, and words.
///
/// Who looks for a few names, as a policy does, finds them in less time than it takes to make strings of all entries.
enum TableText {
  /// The words after the name of an entry; nil if there is none with this name.
  static func words(after name: String, in text: String) -> [String]? {
    // It would be a name and words.
    guard !name.utf8.contains(UInt8(ascii: " ")) else { return nil }
    var (name, text) = (name, text)
    return text.withUTF8 { bytes in
      name.withUTF8 { name in
        var lines = bytes[...]
        while !lines.isEmpty {
          let end = lines.firstIndex(of: UInt8(ascii: "\n")) ?? lines.endIndex
          let rest = lines[..<end].dropFirst(name.count)
          if lines[..<end].starts(with: name), rest.first == nil || rest.first == UInt8(ascii: " ") {
            return rest.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
          }
          lines = lines[end...].dropFirst()
        }
        return nil
      }
    }
  }
}
