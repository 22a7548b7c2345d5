// SPDX-License-Identifier: Apache-2.0

/// Finds what somebody who mistyped a name may have meant.
package enum NearestName {
  /// The most similar of several names; nil if none is similar enough to be meant.
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

  /// How many letters have to be changed, put in or left out to make one of the other; case does not count.
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
