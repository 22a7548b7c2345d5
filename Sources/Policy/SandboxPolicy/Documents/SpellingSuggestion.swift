// SPDX-License-Identifier: Apache-2.0

/// A search for the known word that a misspelled word stands for.
enum SpellingSuggestion {
  /// Returns the known word with the smallest edit distance to `word`, or `nil` if all are too different.
  ///
  /// Of words with the same distance, the first in alphabetical order is returned.
  static func nearest(to word: String, among known: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased().utf8.prefix(64))
    let allowance = max(1, letters.count / 3)
    let candidates = known.compactMap { candidate -> (distance: Int, word: String)? in
      let other = Array(candidate.lowercased().utf8)
      guard abs(other.count - letters.count) <= allowance else { return nil }
      let distance = distance(letters, other)
      return distance <= allowance ? (distance, candidate) : nil
    }
    return candidates.min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
  }

  /// Returns the number of letters to insert, delete, replace or swap with their neighbor
  /// (Damerau-Levenshtein distance).
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var older: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        let substitution = previous[j] + (a[i] == b[j] ? 0 : 1)
        var best = min(substitution, previous[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, older[j - 1] + 1) }
        row.append(best)
      }
      older = previous
      previous = row
    }
    return previous[b.count]
  }
}
