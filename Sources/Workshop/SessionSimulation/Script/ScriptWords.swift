// SPDX-License-Identifier: Apache-2.0

/// The words of a line of a script: what stands between blanks, or between quotation marks, up to a `#` outside of them.
struct ScriptWords {
  /// The words, without their quotation marks.
  private(set) var words: [String] = []
  /// Whether the last quotation has an end.
  private(set) var isWhole = true
  /// The line without comment and outer blanks.
  private(set) var text = ""

  /// Reads a line.
  init(_ line: Substring) {
    var (word, isQuoted, isEscaped, isBegun) = ("", false, false, false)
    for character in line {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        (isQuoted, isBegun) = (!isQuoted, true)
      } else if isQuoted {
        word.append(character)
      } else if character == "#" {
        break
      } else if character.isWhitespace {
        if isBegun { words.append(word) }
        (word, isBegun) = ("", false)
      } else {
        word.append(character)
        isBegun = true
      }
      text.append(character)
    }
    if isBegun { words.append(word) }
    isWhole = !isQuoted
    text = Self.trimmed(text[...])
  }

  /// What follows the first words as it stands, with its quotation marks: for JSON.
  func rest(after count: Int) -> String {
    var rest = text[...]
    for _ in 0..<count { rest = rest.drop { !$0.isWhitespace }.drop(while: \.isWhitespace) }
    return Self.trimmed(rest)
  }

  /// A text without blanks at its ends.
  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
