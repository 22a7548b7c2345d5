// SPDX-License-Identifier: Apache-2.0

/// Text in lines of a terminal.
package struct WrappedText: Sendable {
  /// The number of columns.
  let width: Int
  /// The lines so far.
  package private(set) var lines: [String] = []

  /// Begins without lines.
  init(width: Int) { self.width = max(40, width) }

  /// Adds a text whose first line begins with a mark; further lines begin below its first word.
  package mutating func add(_ text: String, mark: String = "", indent: Int = 0) {
    let hanging = String(repeating: " ", count: indent + mark.count)
    var line = String(repeating: " ", count: indent) + mark
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = hanging
        isEmpty = true
      }
      line += isEmpty ? String(word) : " " + word
      isEmpty = false
    }
    lines.append(line)
  }

  /// Adds an empty line, unless it would be the first.
  mutating func gap() { if !lines.isEmpty { lines.append("") } }
}
