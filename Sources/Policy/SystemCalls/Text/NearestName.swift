// SPDX-License-Identifier: Apache-2.0

/// A search for the name that a misspelled name stands for.
package enum NearestName {
  /// Returns the most similar name, or `nil` if none is similar enough.
  package static func of(_ word: String, among names: [String]) -> String? {
    let letters = Array(word.utf8)
    let limit = max(1, letters.count / 3)
    var best: (name: String, distance: Int)?
    for name in names where abs(name.utf8.count - letters.count) <= limit {
      let distance = distance(letters, Array(name.utf8))
      if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  /// Returns the number of letters to replace, insert or delete to get from one word to the other, ignoring
  /// case.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var row = Array(0...other.count)
    for (i, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, candidate) in other.enumerated() {
        let same = letter | 0x20 == candidate | 0x20
        let best = min(row[j] + 1, row[j + 1] + 1, diagonal + (same ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = best
      }
    }
    return row[other.count]
  }
}
