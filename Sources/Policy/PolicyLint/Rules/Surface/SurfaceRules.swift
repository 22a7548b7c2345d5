// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about calls that expose more of the kernel than programs need.
extension PolicyRule {
  /// The rule that finds obsolete calls.
  static let obsoleteCalls = PolicyRule(
    "DR1401",
    "obsolete-calls",
    .warning,
    summary: "A call is allowed that no program of today makes",
    justification:
      "Code that nobody runs is code that nobody looks at. Most of these calls only answer that they are not there; the "
      + "others have a replacement.",
    remediation: "Remove the call."
  ) { linted in
    let calls =
      (CallGroup.calls(of: "@obsolete") ?? []) + ["remap_file_pages", "epoll_ctl_old", "epoll_wait_old"]
    // Calls that come with other groups are systemd's choice, and most of them are not implemented in the
    // kernel.
    return linted.hits(for: calls) { rule in
      linted.group(of: rule).map { $0 == "@obsolete" } ?? true ? "is obsolete" : nil
    }
  }

  /// The rule that finds calls that attacks on the kernel often use.
  static let exploitedInterfaces = PolicyRule(
    "DR1402",
    "exploited-interfaces",
    .note,
    summary: "A call is allowed that attacks on the kernel often use",
    justification:
      "Published attacks use these calls to shape the kernel's memory or to win races. Few programs that process pictures "
      + "make them.",
    remediation: "Remove the call, or justify it with the program that needs it."
  ) { linted in
    let calls = [
      "vmsplice", "msgget", "msgsnd", "msgrcv", "semget", "semop", "semtimedop", "mbind", "io_setup",
      "io_submit",
      "mq_open", "mq_notify", "set_mempolicy_home_node",
    ]
    return linted.hits(for: calls) { _ in "is a call that attacks on the kernel often use" }
  }

  /// The rule that finds privileged groups, of which the policy core removes most calls.
  static let privilegedGroup = PolicyRule(
    "DR1403",
    "privileged-group",
    .warning,
    summary: "A group for privileged or special programs is allowed",
    justification:
      "What no policy can allow is left out of the group without a word. What remains are calls that were never "
      + "chosen one by one, and the group's name tells a reader something that is not so.",
    remediation: "Name the calls that the program needs."
  ) { linted in
    let groups: Set = [
      "@privileged", "@debug", "@mount", "@module", "@raw-io", "@reboot", "@swap", "@clock", "@cpu-emulation",
      "@keyring", "@network-io", "@setuid", "@system-service", "@resources", "@obsolete",
    ]
    let entries = linted.documents.flatMap(\.entries).filter { $0.list == .allow }
    return entries.compactMap { entry in
      guard let group = linted.entry(at: entry.origin)?.string, groups.contains(group) else { return nil }
      let brought = Set(entry.calls).count
      let members = CallGroup.calls(of: group)?.count ?? 0
      return RuleHit(group, entry.origin, "\"\(group)\" brings \(brought) of its \(members) calls")
    }
  }

  /// The rule that finds calls that reveal facts about the host.
  static let hostFacts = PolicyRule(
    "DR1404",
    "host-facts",
    .note,
    summary: "A call is allowed that tells of the machine",
    justification:
      "Uptime, load, free memory and security modules of the host are none of a session's business, and the first three "
      + "are a channel between sessions.",
    remediation: "Remove the call; C libraries do without."
  ) { linted in
    linted.hits(for: ["sysinfo", "lsm_list_modules", "lsm_get_self_attr"]) { _ in
      "tells what the machine is doing or how it is protected"
    }
  }

  /// The rule that finds calls that watch files of the host.
  static let fileWatches = PolicyRule(
    "DR1406",
    "file-watches",
    .warning,
    summary: "Accesses to the files of shown paths can be watched (inotify)",
    justification:
      "The paths of a policy are mounted from the host. A watch reports when any process of the host opens, reads or runs a "
      + "file in them, so that an extension learns which programs the user starts and when.",
    remediation: "Remove the calls, or show only paths that no other program uses."
  ) { linted in
    guard !linted.policy.readOnly.isEmpty else { return [] }
    return linted.hits(for: ["inotify_add_watch"]) { _ in
      "can watch which files of the shown paths other processes use"
    }
  }

  /// The rule that finds calls that install additional filters.
  static let ownFilters = PolicyRule(
    "DR1407",
    "own-filters",
    .note,
    summary: "A session can install system call filters of its own",
    justification:
      "Such a filter cannot allow more, but its answers come before the report to the host: calls that it refuses are not in "
      + "the session's record. It also opens the kernel's filter compiler to the extension.",
    remediation: "Remove seccomp, and the option PR_SET_SECCOMP of prctl."
  ) { linted in
    linted.hits(for: ["seccomp"]) { _ in "can keep refused calls out of the record" }
      + linted.hits(for: ["prctl"]) { rule in
        rule.onlyValue(ofArgument: 0) == 22
          ? "can keep refused calls out of the record (PR_SET_SECCOMP)" : nil
      }
  }

  /// The rule that finds calls that create pairs of sockets.
  static let socketPairs = PolicyRule(
    "DR1405",
    "socket-pairs",
    .note,
    summary: "Pairs of connected sockets can be made",
    justification:
      "The two ends of a pair are connected to each other for ever, so that no other process can be reached. With sendmsg, "
      + "descriptors pass between the session's own processes. The kernel's code of Unix sockets and of passed descriptors can be "
      + "attacked through them, which pipes avoid.",
    remediation: "Use pipes, or justify it with the programs that need sockets."
  ) { linted in
    linted.hits(for: ["socketpair"]) { _ in "makes sockets" }
  }
}
