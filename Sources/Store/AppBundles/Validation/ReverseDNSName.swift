// SPDX-License-Identifier: Apache-2.0

/// The rules for IDs: reverse-DNS names that are also valid directory names.
package enum ReverseDNSName {
  /// Returns the problem of a name, or `nil` if the name is valid.
  package static func problem(with name: String) -> IdentifierProblem? {
    if name.utf8.count > 255 { return .tooLong }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for label in labels {
      if let problem = problem(withLabel: label) { return problem }
    }
    return labels.count < 2 ? .oneLabel : nil
  }

  private static func problem(withLabel label: String) -> IdentifierProblem? {
    guard let first = label.utf8.first, let last = label.utf8.last else { return .emptyLabel }
    if let character = label.first(where: { !isAllowed($0) }) { return .badCharacter(character) }
    if label.utf8.count > 63 { return .labelTooLong(label) }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return letters.contains(first) && last != UInt8(ascii: "-") ? nil : .badEnd(label: label)
  }

  private static func isAllowed(_ character: Character) -> Bool {
    switch character {
    case "a"..."z", "0"..."9", "-": character.utf8.count == 1
    default: false
    }
  }
}
