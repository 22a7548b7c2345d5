// SPDX-License-Identifier: Apache-2.0

/// Which calls of a learning session reach the host.
package enum LearningScope: String, Sendable, Hashable {
  /// Those that the policy refuses.
  case refusedCalls
  /// Every call, so that what the policy allows in vain can be told, too.
  case everyCall
}

extension LearningScope {
  /// The calls that the launcher itself may make between the filters and the program: nobody answers yet, so none of
  /// them is reported where the policy allows it.
  package static let launchersCalls = ["execve", "execveat", "write", "exit", "exit_group"]

  /// How many instructions ``everyCall`` takes.
  static let additionalInstructions = 5 + launchersCalls.count
}
