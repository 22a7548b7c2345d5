// SPDX-License-Identifier: Apache-2.0

/// A former name of a command. The parser accepts it, and help and completion do not show it.
package struct FormerName: Sendable, Equatable, CustomStringConvertible {
  /// The former names from the root command to the command, such as `["log", "show"]`.
  package var former: [String]
  /// The current names from the root command to the command, such as `["inspect"]`.
  package var current: [String]

  /// Creates a former name. Both texts are names separated by spaces.
  package init(_ former: String, now current: String) {
    self.former = former.split(separator: " ").map(String.init)
    self.current = current.split(separator: " ").map(String.init)
  }

  /// The message for a user who typed the former name.
  package var description: String {
    "'\(former.joined(separator: " "))' is now '\(current.joined(separator: " "))'"
  }
}
