// SPDX-License-Identifier: Apache-2.0

/// The tokens of a script line, separated by whitespace or quoted. A `#` outside quotation marks starts a
/// comment.
struct ScriptTokens {
  /// The tokens, without quotation marks.
  private(set) var tokens: [String] = []
  /// Whether the last quotation mark is closed.
  private(set) var isTerminated = true
  /// The line without its comment and without surrounding whitespace.
  private(set) var text = ""

  /// Splits a line into tokens.
  init(_ line: Substring) {
    var (word, isQuoted, isEscaped, hasToken) = ("", false, false, false)
    for character in line {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        (isQuoted, hasToken) = (!isQuoted, true)
      } else if isQuoted {
        word.append(character)
      } else if character == "#" {
        break
      } else if character.isWhitespace {
        if hasToken { tokens.append(word) }
        (word, hasToken) = ("", false)
      } else {
        word.append(character)
        hasToken = true
      }
      text.append(character)
    }
    if hasToken { tokens.append(word) }
    isTerminated = !isQuoted
    text = Self.trimmed(text[...])
  }

  /// Returns the unparsed text after the first tokens, with its quotation marks, for JSON.
  func rest(after count: Int) -> String {
    var rest = text[...]
    for _ in 0..<count { rest = rest.drop { !$0.isWhitespace }.drop(while: \.isWhitespace) }
    return Self.trimmed(rest)
  }

  /// Returns a text without surrounding whitespace.
  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
