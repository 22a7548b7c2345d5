// SPDX-License-Identifier: Apache-2.0

/// Suggestions of similar names, for names that are known only to a command and not to the specs.
package enum NearestNames {
  /// Returns the suffix of an error message that suggests the nearest names, or an empty string if no name is
  /// near.
  package static func suggestionSuffix(for word: String, among names: [String]) -> String {
    Spelling.suggestionSuffix(Spelling.suggestions(for: word, among: names))
  }
}
