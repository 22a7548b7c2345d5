// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A token of a minijail policy.
struct MinijailToken: Hashable {
  /// The text of the token.
  var text: String
  /// The position of its first character.
  var position: TextPosition

  /// The operators with two characters.
  private static let signs = ["&&", "||", "==", "!=", "<=", ">="]

  /// Returns the tokens of each statement, without comments. A backslash at the end of a line continues a
  /// statement.
  static func statements(_ text: String) -> [[MinijailToken]] {
    var statements: [[MinijailToken]] = []
    var current: [MinijailToken] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      var rest = line[...]
      if let comment = rest.firstIndex(of: "#") { rest = rest[..<comment] }
      while rest.last?.isWhitespace ?? false { rest.removeLast() }
      let isContinued = rest.last == "\\"
      if isContinued { rest.removeLast() }
      current += tokens(rest, of: line, number + 1)
      if !isContinued {
        if !current.isEmpty { statements.append(current) }
        current = []
      }
    }
    if !current.isEmpty { statements.append(current) }
    return statements
  }

  private static func tokens(_ part: Substring, of line: Substring, _ number: Int) -> [MinijailToken] {
    var tokens: [MinijailToken] = []
    var rest = part
    while let first = rest.first {
      let column = line.utf8.distance(from: line.startIndex, to: rest.startIndex) + 1
      let position = TextPosition(line: number, column: column)
      if first.isWhitespace {
        rest.removeFirst()
      } else if let sign = signs.first(where: { rest.hasPrefix($0) }) {
        tokens.append(MinijailToken(text: sign, position: position))
        rest.removeFirst(sign.count)
      } else if isWordCharacter(first) {
        let word = rest.prefix(while: isWordCharacter)
        tokens.append(MinijailToken(text: String(word), position: position))
        rest = rest[word.endIndex...]
      } else {
        tokens.append(MinijailToken(text: String(first), position: position))
        rest.removeFirst()
      }
    }
    return tokens
  }

  /// Returns whether a character is part of a word, such as a path, a group name or a negative number.
  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "_-@./".contains(character))
  }
}
