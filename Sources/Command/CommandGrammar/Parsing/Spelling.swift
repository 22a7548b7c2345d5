// SPDX-License-Identifier: Apache-2.0

/// What was probably meant, and how words of the person are shown to the person.
enum Spelling {
  /// Longer words are compared with nothing: nobody mistypes a name into that.
  private static let longestCompared = 40

  /// The words that are nearest to a misspelt one, nearest first; at most three.
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

  /// The number of letters to add, remove, replace or swap with their neighbour (optimal string alignment).
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

  /// A question to add to a message, or nothing.
  static func question(_ suggestions: [String]) -> String {
    suggestions.isEmpty ? "" : "; did you mean \(suggestions.joined(separator: " or "))?"
  }

  /// A word in quotes, shortened if it is very long; control characters cannot reach the terminal.
  static func quoted(_ word: String) -> String {
    var text = "'"
    for scalar in word.unicodeScalars.prefix(120) {
      let isControl = scalar.properties.generalCategory == .control
      text += isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return text + (word.unicodeScalars.count > 120 ? "…'" : "'")
  }
}
