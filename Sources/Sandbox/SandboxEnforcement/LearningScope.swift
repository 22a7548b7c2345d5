// SPDX-License-Identifier: Apache-2.0

/// The calls of a learning session that are reported to the host.
package enum LearningScope: String, Sendable, Hashable {
  /// The calls that the policy refuses.
  case refusedCalls
  /// All calls, so that calls which the policy allows but the session never makes can be found.
  case everyCall
}

extension LearningScope {
  /// The calls that ``everyCall`` does not report if the policy allows them.
  ///
  /// A launch makes some of them to start the program, under both filters and before the host answers. Every
  /// program makes the others.
  package static let unreportedCalls = ["execve", "execveat", "write", "exit", "exit_group"]

  /// The calls that the kernel makes on behalf of a program: at the end of a signal handler, and to restart a
  /// call that a stop has interrupted.
  ///
  /// They occur only when a signal arrives, so no run shows that a program does without them.
  package static let kernelCalls = ["rt_sigreturn", "restart_syscall"]

  /// The number of additional instructions of ``everyCall``.
  static let additionalInstructions = 5 + unreportedCalls.count
}
