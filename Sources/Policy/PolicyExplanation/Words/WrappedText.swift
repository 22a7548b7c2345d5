// SPDX-License-Identifier: Apache-2.0

/// Text in lines of limited width, for a terminal.
package struct WrappedText: Sendable {
  /// The maximum number of columns.
  let width: Int
  /// The lines so far.
  package private(set) var lines: [String] = []

  /// Creates an empty text with at least 40 columns.
  init(width: Int) { self.width = max(40, width) }

  /// Adds a text whose first line starts with a mark. Continuation lines are indented to the first word.
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

  /// Adds an empty line, except at the start.
  mutating func addBlankLine() { if !lines.isEmpty { lines.append("") } }
}
