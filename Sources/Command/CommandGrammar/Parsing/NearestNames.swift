// SPDX-License-Identifier: Apache-2.0

/// Names that a person may have meant, for names that only a command knows, not the tables.
package enum NearestNames {
  /// The end of a sentence that asks for the nearest names; empty if none is near.
  package static func question(for word: String, among names: [String]) -> String {
    Spelling.question(Spelling.suggestions(for: word, among: names))
  }
}
