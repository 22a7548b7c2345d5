// SPDX-License-Identifier: Apache-2.0

/// Spelling suggestions, and the quotation of user input in messages.
enum Spelling {
  /// The maximum length of a word that is compared with candidates. Longer words are not misspelled names.
  private static let longestCompared = 40

  /// Returns at most three candidates that are similar to a misspelled word, nearest first.
  static func suggestions(for word: String, among words: [String]) -> [String] {
    guard (1...longestCompared).contains(word.count) else { return [] }
    let near = words.compactMap { candidate -> (word: String, distance: Int)? in
      let distance = distance(word.lowercased(), candidate.lowercased())
      let isPrefix =
        word.count >= 2 && candidate.hasPrefix(word) || candidate.count >= 3 && word.hasPrefix(candidate)
      guard isPrefix || distance <= max(1, min(word.count, candidate.count) / 3) else { return nil }
      return (candidate, isPrefix ? min(1, distance) : distance)
    }
    return near.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }.prefix(3).map(\.word)
  }

  /// Returns the edit distance of two words: the number of insertions, deletions, substitutions and swaps of
  /// adjacent letters (optimal string alignment).
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var before: [Int] = []
    var above = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        var best = min(above[column] + 1, current[column - 1] + 1, above[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          best = min(best, before[column - 2] + 1)
        }
        current.append(best)
      }
      (before, above) = (above, current)
    }
    return above[right.count]
  }

  /// Returns a question that suggests words in quotation marks, or an empty string without suggestions.
  static func suggestionText(_ suggestions: [String]) -> String {
    suggestions.isEmpty ? "" : "did you mean \(suggestions.map { "'\($0)'" }.joined(separator: " or "))?"
  }

  /// Returns the suffix of an error message that suggests words, or an empty string without suggestions.
  static func suggestionSuffix(_ suggestions: [String]) -> String {
    suggestions.isEmpty ? "" : "; \(suggestionText(suggestions))"
  }

  /// Returns a word in quotes, truncated after 120 Unicode scalars. Control characters are escaped, so that
  /// they do not reach the terminal.
  static func quoted(_ word: String) -> String {
    var text = "'"
    for scalar in word.unicodeScalars.prefix(120) {
      let isControl = scalar.properties.generalCategory == .control
      text += isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return text + (word.unicodeScalars.count > 120 ? "…'" : "'")
  }
}

/// Suggestions of similar names, for names that are known only to a command and not to the specs.
package enum NearestNames {
  /// Returns the suffix of an error message that suggests the nearest names, or an empty string if no name is
  /// near.
  package static func suggestionSuffix(for word: String, among names: [String]) -> String {
    Spelling.suggestionSuffix(Spelling.suggestions(for: word, among: names))
  }
}
