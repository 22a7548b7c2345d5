// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about the files at paths on this machine.
extension PolicyRule {
  /// The rule that finds required paths that do not exist.
  static let missingPath = PolicyRule(
    "DR3101",
    "missing-path",
    .error,
    .files,
    summary: "A path that the policy requires does not exist",
    justification: "Every launch fails on this machine.",
    remediation:
      "Install the missing files, correct the path, or write the path as an object with \"optional\": true."
  ) { linted in
    linted.policy.readOnly.filter { $0.presence == .required }.compactMap { grant in
      guard let files = linted.machine.files, files.paths[grant.path] == nil else { return nil }
      return RuleHit(grant.path, grant.origin, "\(grant.path) does not exist on this machine")
    }
  }

  /// The rule that finds sockets and FIFOs below paths.
  static let socketBelowPath = files(
    "DR3102",
    "socket-below-path",
    .warning,
    [.socket, .fifo],
    summary: "A path contains a socket or a FIFO",
    justification:
      "A process outside the sandbox may have the other end open. A session cannot connect sockets, but it can open "
      + "and read a FIFO, and even write to it: a read-only mount does not prevent writes to FIFOs.",
    remediation: "Show a narrower path, or have the service create its socket below /run."
  ) { "contains \($0), which could connect a session to a process outside" }

  /// The rule that finds devices below paths.
  static let deviceBelowPath = files(
    "DR3103",
    "device-below-path",
    .warning,
    [.device],
    summary: "A path contains a device node",
    justification:
      "A device node gives access to its driver from any directory. The session's mounts also refuse device nodes "
      + "(nodev).",
    remediation: "Remove the node, or show a narrower path."
  ) { "contains \($0)" }

  /// The rule that finds files that any user can write.
  static let writableByOthers = files(
    "DR3104",
    "writable-by-others",
    .warning,
    [.writableByOthers],
    summary: "A path contains files that every user can change",
    justification:
      "The session reads, and possibly executes, files that any user or service of the machine can change.",
    remediation: "Remove the permission ('chmod o-w'), or show a narrower path."
  ) { "contains \($0), which every user can change" }

  /// The rule that finds set-user-ID and set-group-ID programs.
  static let setIDProgram = files(
    "DR3105",
    "set-id-program",
    .note,
    [.setID],
    summary: "A path contains set-user-ID or set-group-ID programs",
    justification:
      "A session gains no privileges by starting these programs, because of the layer noNewPrivileges. Without that "
      + "layer, each of them would be a risk.",
    remediation: "Show a narrower path."
  ) { "contains \($0) with the set-user-ID or set-group-ID bit" }

  /// The rule that reports paths that were not scanned completely.
  static let incompleteSurvey = PolicyRule(
    "DR3106",
    "unfinished-survey",
    .note,
    .files,
    summary: "A path was not examined completely",
    justification: "The results for sockets, devices and permissions in the path are incomplete.",
    remediation:
      "Run the check as root, and with a higher --machine-entries if the number of entries was the reason."
  ) { linted in
    linted.policy.readOnly.compactMap { grant in
      guard let facts = linted.machine.files?.paths[grant.path] else { return nil }
      let unreadableCount = facts.counts[.unreadable] ?? 0
      guard !facts.isComplete || unreadableCount > 0 else { return nil }
      let reason =
        facts.isComplete
        ? "this user may not read \(unreadableCount) director\(unreadableCount == 1 ? "y" : "ies") in it"
        : "the search stopped at this limit"
      return RuleHit(
        grant.path,
        grant.origin,
        "\(facts.examinedEntries) entries of \(grant.path) were examined; \(reason)"
      )
    }
  }

  /// The rule that finds home directories of accounts.
  static let homeBelowPath = PolicyRule(
    "DR3107",
    "home-below-path",
    .warning,
    .files,
    summary: "A path overlaps with the home directory of an account",
    justification: "The sandbox exists to protect the files of users and services in their home directories.",
    remediation: "Show a narrower path."
  ) { linted in
    guard let files = linted.machine.files else { return [] }
    return linted.policy.readOnly.compactMap { grant in
      let homes = files.homes.filter {
        $0 == grant.path || $0.hasPrefix(grant.path + "/") || grant.path.hasPrefix($0 + "/")
      }
      guard let first = homes.sorted().first else { return nil }
      let others = homes.count > 1 ? " and \(homes.count - 1) more" : ""
      return RuleHit(
        grant.path,
        grant.origin,
        "\(grant.path) overlaps with \(first), the home directory of an account\(others)"
      )
    }
  }

  /// The rule that finds private keys and passwords.
  static let secretBelowPath = files(
    "DR3108",
    "secret-below-path",
    .warning,
    [.secret],
    summary: "A path contains private keys or passwords",
    justification:
      "A session has no network, but an extension can hide data that it reads in the images that it saves. File "
      + "permissions do not always help: a session of an unprivileged user has that user's permissions.",
    remediation: "Move the key out of the path, or show a narrower path."
  ) { "contains \($0) with private keys or passwords" }

  /// Returns a rule about files of some kinds. `words` returns the end of the message for a list of files.
  private static func files(
    _ id: String,
    _ name: String,
    _ severity: FindingSeverity,
    _ kinds: Set<FileFinding.Kind>,
    summary: String,
    justification: String,
    remediation: String,
    words: @escaping @Sendable (String) -> String
  ) -> PolicyRule {
    PolicyRule(
      id,
      name,
      severity,
      .files,
      summary: summary,
      justification: justification,
      remediation: remediation
    ) { linted in
      linted.policy.readOnly.compactMap { grant in
        guard let facts = linted.machine.files?.paths[grant.path] else { return nil }
        let paths = facts.findings.filter { kinds.contains($0.kind) }.map(\.path).sorted()
        let count = kinds.reduce(0) { $0 + (facts.counts[$1] ?? 0) }
        guard !paths.isEmpty else { return nil }
        let rest = count > paths.count ? " and \(count - paths.count) more" : ""
        return RuleHit(
          grant.path,
          grant.origin,
          "\(grant.path) \(words(paths.joined(separator: ", ") + rest))"
        )
      }
    }
  }
}
