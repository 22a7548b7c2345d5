// SPDX-License-Identifier: Apache-2.0

/// Plain text, wrapped to the width of a terminal.
struct TextLayout {
  /// The number of columns.
  let width: Int
  /// The lines so far.
  private(set) var lines: [String] = []

  /// Creates an empty text. The minimum width is 20 columns.
  init(width: Int) { self.width = max(20, width) }

  /// The text, with a newline at the end.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Adds a line without wrapping.
  mutating func line(_ text: String = "") { lines.append(text) }

  /// Adds paragraphs, which are separated by empty lines. The line breaks of an indented paragraph are kept.
  mutating func paragraphs(_ text: String, indent: Int) {
    for paragraph in Self.paragraphs(of: text) {
      line()
      if paragraph.hasPrefix(" ") {
        lines += paragraph.split(separator: "\n").map { Self.spaces(indent) + $0 }
      } else {
        lines += Self.wrapped(paragraph, width: width - indent).map { Self.spaces(indent) + $0 }
      }
    }
  }

  /// Adds rows of a term and its explanation. All explanations are aligned in one column, for which the terms
  /// need `termWidth` columns.
  mutating func rows(_ rows: [(term: String, text: String)], indent: Int = 2, termWidth: Int? = nil) {
    let column = indent + (termWidth ?? Self.termWidth(rows.map(\.term))) + 2
    for (term, text) in rows {
      var wrapped = Self.wrapped(text, width: width - column)[...]
      let head = Self.spaces(indent) + term
      if head.count + 2 <= column, let first = wrapped.popFirst() {
        lines.append(head + Self.spaces(column - head.count) + first)
      } else {
        lines.append(head)
      }
      lines += wrapped.map { Self.spaces(column) + $0 }
    }
  }

  /// Returns the width of the longest term that shares a line with its explanation.
  static func termWidth(_ terms: [String]) -> Int { terms.map(\.count).filter { $0 <= 24 }.max() ?? 0 }

  /// Adds words after a heading. Continuation lines are indented by the length of the heading.
  mutating func hanging(_ heading: String, _ words: [String]) {
    let indent = Self.spaces(heading.count + 1)
    for (index, part) in Self.wrapped(words, width: width - heading.count - 1).enumerated() {
      lines.append((index == 0 ? heading + " " : indent) + part)
    }
  }

  /// Returns the paragraphs of a text.
  static func paragraphs(of text: String) -> [String] {
    var paragraphs: [[Substring]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(line) }
    }
    return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
  }

  /// Returns a text in lines of at most `width` columns. A longer word gets a line of its own.
  private static func wrapped(_ text: String, width: Int) -> [String] {
    wrapped(text.split { $0 == " " || $0 == "\n" }.map(String.init), width: width)
  }

  /// Returns words in lines of at most `width` columns.
  private static func wrapped(_ words: [String], width: Int) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
