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
      "The call selects a process by its PID. In a session with namespaces, only processes of the session have a "
      + "PID; in a restricted session, the call also reaches other processes. Programs that process images do not "
      + "need the call.",
    remediation: "Remove the call."
  ) { linted in
    linted.hits(for: ["move_pages", "migrate_pages", "process_mrelease"]) { _ in
      "acts on the memory of a process that is selected by its PID"
    }
  }

  /// The rule that finds calls that change users, groups or capabilities.
  static let identityCalls = PolicyRule(
    "DR1102",
    "identity-calls",
    .note,
    summary: "Users, groups or capabilities can be changed",
    justification:
      "A session has one user, no groups and no capabilities, so these calls achieve nothing. They only expose "
      + "kernel code with known vulnerabilities in the past.",
    remediation: "Remove the calls; programs that only drop privileges continue if the calls are refused."
  ) { linted in
    let calls = [
      "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid",
      "setgroups",
      "capset",
    ]
    return linted.hits(for: calls) { _ in "changes an identity that a session does not have" }
  }
}
