// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A word of a shell command, without its quotes; variables stay as they are written.
struct ShellWord: Sendable, Hashable {
  /// The word.
  var text: String
  /// Where it begins.
  var position: TextPosition

  /// The commands of a script, each as its words. Of the shell's language only what a command line needs is understood:
  /// quotes, backslashes, comments, and what ends a command.
  static func commands(_ script: String) throws(InterchangeError) -> [[ShellWord]] {
    var reader = ShellReader(Array(script.unicodeScalars))
    return try reader.commands()
  }
}

/// Reads a script.
private struct ShellReader {
  /// The script.
  let script: [Unicode.Scalar]
  /// The place of the next character.
  var index = 0
  /// The line of the next character, from 1.
  var line = 1
  /// Where the line begins.
  var lineStart = 0

  /// At the beginning of a script.
  init(_ script: [Unicode.Scalar]) { self.script = script }

  /// The next character.
  var next: Unicode.Scalar? { index < script.count ? script[index] : nil }
  /// Where that is.
  var position: TextPosition { TextPosition(line: line, column: index - lineStart + 1) }

  /// Goes past a character.
  mutating func advance() {
    if script[index] == "\n" {
      line += 1
      lineStart = index + 1
    }
    index += 1
  }

  /// All commands that have words.
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

  /// One word.
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

  /// The rest of what stands in quotes.
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
