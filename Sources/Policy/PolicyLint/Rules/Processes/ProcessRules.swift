// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about other processes and other users.
extension PolicyRule {
  /// The rule that finds calls that act on the memory of a process with a given PID.
  static let foreignMemory = PolicyRule(
    "DR1101",
    "foreign-memory",
    .warning,
    summary: "The memory of other processes can be moved or freed",
    justification:
      "The call names a process by its number. In a session with namespaces these are its own; in a restricted one "
      + "the policy means more than it seems to. Programs that process pictures do not need it.",
    remediation: "Remove the call."
  ) { linted in
    linted.hits(for: ["move_pages", "migrate_pages", "process_mrelease"]) { _ in
      "acts on the memory of a process that it names by number"
    }
  }

  /// The rule that finds calls that change users, groups or capabilities.
  static let identityCalls = PolicyRule(
    "DR1102",
    "identity-calls",
    .note,
    summary: "Users, groups or capabilities can be changed",
    justification:
      "A session has one user, no groups and no capabilities, so that nothing can come of these calls. They only open code "
      + "of the kernel in which there have been faults.",
    remediation: "Remove the calls; programs that only drop rights go on when they are refused."
  ) { linted in
    let calls = [
      "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid",
      "setgroups",
      "capset",
    ]
    return linted.hits(for: calls) { _ in "changes an identity that a session does not have" }
  }
}
