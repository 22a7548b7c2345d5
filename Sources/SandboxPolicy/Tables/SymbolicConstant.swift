// SPDX-License-Identifier: Apache-2.0

/// The names that an argument rule can use instead of a number.
package enum SymbolicConstant {
  /// The value of each name.
  package static let values: [String: UInt32] = Dictionary(
    uniqueKeysWithValues: text.description.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, let value = UInt32(words[1].dropFirst(2), radix: 16) else { return nil }
      return (String(words[0]), value)
    }
  )

  /// The value of a name; nil if there is no such constant.
  package static func value(of name: String) -> UInt32? {
    TableText.words(after: name, in: text)?.first.flatMap { UInt32($0.dropFirst(2), radix: 16) }
  }
}
