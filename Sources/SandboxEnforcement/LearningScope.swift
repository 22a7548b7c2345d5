// SPDX-License-Identifier: Apache-2.0

/// Which calls of a learning session reach the host.
package enum LearningScope: String, Sendable, Hashable {
  /// Those that the policy refuses.
  case refusedCalls
  /// Every call, so that what the policy allows in vain can be told, too.
  case everyCall
}

extension LearningScope {
  /// The calls that are not asked about even where every call is, if the policy allows them: what a launch begins the program
  /// with, behind both filters and before anybody answers, and what every program does.
  package static let unaskedCalls = ["execve", "execveat", "write", "exit", "exit_group"]

  /// How many instructions ``everyCall`` takes.
  static let additionalInstructions = 5 + unaskedCalls.count
}
