// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A word of a shell command after quote removal. Variables are not expanded.
struct ShellWord: Sendable, Hashable {
  /// The text of the word without quotes.
  var text: String
  /// The position of the first character.
  var position: TextPosition

  /// Returns the commands of a script, each as its words.
  ///
  /// The parser supports the parts of the shell language that command lines need: quotes, backslashes,
  /// comments and command separators.
  static func commands(_ script: String) throws(InterchangeError) -> [[ShellWord]] {
    var reader = ShellReader(Array(script.unicodeScalars))
    return try reader.commands()
  }
}

/// A lexer for shell scripts.
private struct ShellReader {
  let script: [Unicode.Scalar]
  /// The index of the next character.
  var index = 0
  /// The line of the next character, starting at 1.
  var line = 1
  /// The index of the first character of the current line.
  var lineStart = 0

  /// Creates a lexer at the start of a script.
  init(_ script: [Unicode.Scalar]) { self.script = script }

  /// The next character, or `nil` at the end of the script.
  var next: Unicode.Scalar? { index < script.count ? script[index] : nil }
  /// The position of the next character.
  var position: TextPosition { TextPosition(line: line, column: index - lineStart + 1) }

  /// Consumes a character.
  mutating func advance() {
    if script[index] == "\n" {
      line += 1
      lineStart = index + 1
    }
    index += 1
  }

  /// Returns all commands that have words.
  mutating func commands() throws(InterchangeError) -> [[ShellWord]] {
    var commands: [[ShellWord]] = [[]]
    while let character = next {
      switch character {
      case " ", "\t", "\r": advance()
      case "\\" where index + 1 < script.count && script[index + 1] == "\n":
        advance()
        advance()
      case "#": while let other = next, other != "\n" { advance() }
      case "\n", ";", "|", "&":
        advance()
        commands.append([])
      default: commands[commands.count - 1].append(try word())
      }
    }
    return commands.filter { !$0.isEmpty }
  }

  /// Reads a word.
  private mutating func word() throws(InterchangeError) -> ShellWord {
    let start = position
    var text = String.UnicodeScalarView()
    while let character = next, !"\n\t\r ;|&".unicodeScalars.contains(character) {
      advance()
      switch character {
      case "'": try quoted(until: "'", into: &text, start)
      case "\"": try quoted(until: "\"", into: &text, start)
      case "\\":
        guard let escaped = next else { break }
        advance()
        if escaped != "\n" { text.append(escaped) }
      default: text.append(character)
      }
    }
    return ShellWord(text: String(text), position: start)
  }

  /// Reads the rest of a quoted string, including its closing quote.
  private mutating func quoted(
    until end: Unicode.Scalar,
    into text: inout String.UnicodeScalarView,
    _ start: TextPosition
  ) throws(InterchangeError) {
    while let character = next {
      advance()
      if character == end { return }
      if character == "\\", end == "\"", let escaped = next, "\"\\$`\n".unicodeScalars.contains(escaped) {
        advance()
        if escaped != "\n" { text.append(escaped) }
      } else {
        text.append(character)
      }
    }
    throw InterchangeError(start, .missing("the closing \(end)"))
  }
}
