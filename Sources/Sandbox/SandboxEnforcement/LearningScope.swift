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

  /// The calls that the kernel makes in the name of a program: at the end of a signal handler, and to continue a call that a
  /// stop has interrupted. They occur only where a signal arrives, so that no run shows that a program does without them.
  package static let kernelCalls = ["rt_sigreturn", "restart_syscall"]

  /// How many instructions ``everyCall`` takes.
  static let additionalInstructions = 5 + unaskedCalls.count
}
