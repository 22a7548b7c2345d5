// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about calls that expose more of the kernel than programs need.
extension PolicyRule {
  /// The rule that finds obsolete calls.
  static let obsoleteCalls = PolicyRule(
    "DR1401",
    "obsolete-calls",
    .warning,
    summary: "An obsolete call is allowed",
    justification:
      "Kernel code for obsolete calls is rarely run and rarely reviewed. Most of these calls always fail with "
      + "ENOSYS; the others have a replacement.",
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
    summary: "A call is allowed that kernel exploits often use",
    justification:
      "Published exploits use these calls to arrange the kernel's memory or to win races. Few programs that process "
      + "images make them.",
    remediation: "Remove the call, or justify it with the program that needs it."
  ) { linted in
    let calls = [
      "vmsplice", "msgget", "msgsnd", "msgrcv", "semget", "semop", "semtimedop", "mbind", "io_setup",
      "io_submit",
      "mq_open", "mq_notify", "set_mempolicy_home_node",
    ]
    return linted.hits(for: calls) { _ in "is often used by kernel exploits" }
  }

  /// The rule that finds privileged groups, of which the policy core removes most calls.
  static let privilegedGroup = PolicyRule(
    "DR1403",
    "privileged-group",
    .warning,
    summary: "A group for privileged or special programs is allowed",
    justification:
      "Calls that no policy can allow are silently omitted from the group. The remaining calls were not chosen "
      + "individually, and the group's name misleads readers.",
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
      return RuleHit(group, entry.origin, "\"\(group)\" allows \(brought) of its \(members) calls")
    }
  }

  /// The rule that finds calls that reveal facts about the host.
  static let hostFacts = PolicyRule(
    "DR1404",
    "host-facts",
    .note,
    summary: "A call is allowed that reveals facts about the machine",
    justification:
      "A session does not need the host's uptime, load, free memory or security modules, and the first three are a "
      + "covert channel between sessions.",
    remediation: "Remove the call; C libraries do not need it."
  ) { linted in
    linted.hits(for: ["sysinfo", "lsm_list_modules", "lsm_get_self_attr"]) { _ in
      "reveals the machine's activity or protection"
    }
  }

  /// The rule that finds calls that watch files of the host.
  static let fileWatches = PolicyRule(
    "DR1406",
    "file-watches",
    .warning,
    summary: "File accesses in the visible paths can be monitored (inotify)",
    justification:
      "The paths of a policy are mounted from the host. A watch reports when any process of the host opens, reads or "
      + "executes a file in them, so an extension can monitor which programs the user starts and when.",
    remediation: "Remove the calls, or show only paths that no other program uses."
  ) { linted in
    guard !linted.policy.readOnly.isEmpty else { return [] }
    return linted.hits(for: ["inotify_add_watch"]) { _ in
      "can monitor which files of the visible paths other processes use"
    }
  }

  /// The rule that finds calls that install additional filters.
  static let ownFilters = PolicyRule(
    "DR1407",
    "own-filters",
    .note,
    summary: "A session can install additional system call filters",
    justification:
      "An additional filter cannot allow more calls, but its result takes precedence over the notification of the "
      + "host: calls that it refuses are missing from the session's record. The call also exposes the kernel's "
      + "filter compiler to the extension.",
    remediation: "Remove seccomp, and the option PR_SET_SECCOMP of prctl."
  ) { linted in
    linted.hits(for: ["seccomp"]) { _ in "can hide refused calls from the record" }
      + linted.hits(for: ["prctl"]) { rule in
        rule.onlyValue(ofArgument: 0) == 22
          ? "can hide refused calls from the record (PR_SET_SECCOMP)" : nil
      }
  }

  /// The rule that finds calls that create pairs of sockets.
  static let socketPairs = PolicyRule(
    "DR1405",
    "socket-pairs",
    .note,
    summary: "Pairs of connected sockets can be created",
    justification:
      "The two ends of a pair are connected to each other permanently, so no other process can be reached. With "
      + "sendmsg, the session's processes can pass descriptors to each other. A pair exposes the kernel's code for "
      + "Unix sockets and descriptor passing, which pipes do not.",
    remediation: "Use pipes, or justify the call with the programs that need sockets."
  ) { linted in
    linted.hits(for: ["socketpair"]) { _ in "creates sockets" }
  }
}
