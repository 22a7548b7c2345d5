// SPDX-License-Identifier: Apache-2.0

/// Returns the known word that is most similar to a word, or `nil` if none is similar.
func nearest(to word: String, among known: [String]) -> String? {
  let limit = max(1, word.utf8.count / 3)
  let candidates = known.map { (word: $0, distance: editDistance(Array(word.utf8), Array($0.utf8))) }
  guard let best = candidates.min(by: { $0.distance < $1.distance }), best.distance <= limit else {
    return nil
  }
  return best.word
}

/// Returns the edit distance in bytes, counting insertions, deletions, substitutions and transpositions of
/// neighbors.
private func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
  // Only malicious manifests contain long words, and the table size is the product of the lengths.
  guard first.count <= 256, second.count <= 256 else { return .max }
  var older: [Int] = []
  var previous = Array(0...second.count)
  for row in 0..<first.count {
    var current = [row + 1]
    for column in 0..<second.count {
      let isSame = first[row] == second[column]
      var best = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (isSame ? 0 : 1))
      if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
        best = min(best, older[column - 1] + 1)
      }
      current.append(best)
    }
    older = previous
    previous = current
  }
  return previous[second.count]
}
