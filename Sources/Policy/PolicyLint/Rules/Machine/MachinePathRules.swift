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
    summary: "A path that the policy requires is not here",
    justification: "Every launch fails on this machine.",
    remediation:
      "Install what belongs there, correct the path, or write it as an object with \"optional\": true."
  ) { linted in
    linted.policy.readOnly.filter { $0.presence == .required }.compactMap { grant in
      guard let files = linted.machine.files, files.paths[grant.path] == nil else { return nil }
      return RuleHit(grant.path, grant.origin, "\(grant.path) is not on this machine")
    }
  }

  /// The rule that finds sockets and FIFOs below paths.
  static let socketBelowPath = files(
    "DR3102",
    "socket-below-path",
    .warning,
    [.socket, .fifo],
    summary: "A path holds a socket or a FIFO",
    justification:
      "Somebody outside of the sandbox may be at its other end. No socket call is allowed to a session; a FIFO can be "
      + "opened and read, and a read-only view of files does not keep a program from writing to one.",
    remediation: "Show a narrower path, or have the service put its socket below /run."
  ) { "holds \($0) by which a session could reach a process outside" }

  /// The rule that finds devices below paths.
  static let deviceBelowPath = files(
    "DR3103",
    "device-below-path",
    .warning,
    [.device],
    summary: "A path holds a device node",
    justification:
      "A device node reaches its driver wherever it lies; the session's mounts refuse it, as a second door.",
    remediation: "Remove the node, or show a narrower path."
  ) { "holds \($0)" }

  /// The rule that finds files that any user can write.
  static let writableByOthers = files(
    "DR3104",
    "writable-by-others",
    .warning,
    [.writableByOthers],
    summary: "A path holds files that everybody may change",
    justification:
      "The session reads, and perhaps runs, what any user or service of the machine has put there.",
    remediation: "Take the right away ('chmod o-w'), or show a narrower path."
  ) { "holds \($0) that everybody may change" }

  /// The rule that finds set-user-ID and set-group-ID programs.
  static let setIDProgram = files(
    "DR3105",
    "set-id-program",
    .note,
    [.setID],
    summary: "A path holds programs that run as their owner or group",
    justification:
      "A session cannot gain rights by starting them: that is what the layer noNewPrivileges is for. They are a reason to "
      + "show less, and one never to take that layer for granted.",
    remediation: "Show a narrower path."
  ) { "holds \($0) that run as their owner or group outside" }

  /// The rule that reports paths that were not scanned completely.
  static let incompleteSurvey = PolicyRule(
    "DR3106",
    "unfinished-survey",
    .note,
    .files,
    summary: "Not all of a path was looked at",
    justification: "What the check says of sockets, devices and rights in it is not everything.",
    remediation:
      "Run the check as root, and with a higher --machine-entries if the number of entries was the reason."
  ) { linted in
    linted.policy.readOnly.compactMap { grant in
      guard let facts = linted.machine.files?.paths[grant.path] else { return nil }
      let unreadableCount = facts.counts[.unreadable] ?? 0
      guard !facts.isComplete || unreadableCount > 0 else { return nil }
      let reason =
        facts.isComplete
        ? "\(unreadableCount) directories in it are closed to this user" : "the search ended there"
      return RuleHit(
        grant.path,
        grant.origin,
        "\(facts.examinedEntries) entries of \(grant.path) were looked at; \(reason)"
      )
    }
  }

  /// The rule that finds home directories of accounts.
  static let homeBelowPath = PolicyRule(
    "DR3107",
    "home-below-path",
    .warning,
    .files,
    summary: "A path reaches the home directory of an account",
    justification: "What people and services keep in their homes is what the sandbox is there to protect.",
    remediation: "Show a narrower path."
  ) { linted in
    guard let files = linted.machine.files else { return [] }
    return linted.policy.readOnly.compactMap { grant in
      let homes = files.homes.filter {
        $0 == grant.path || $0.hasPrefix(grant.path + "/") || grant.path.hasPrefix($0 + "/")
      }
      guard let first = homes.sorted().first else { return nil }
      let others = homes.count > 1 ? " and of \(homes.count - 1) more" : ""
      return RuleHit(
        grant.path,
        grant.origin,
        "\(grant.path) reaches \(first), the home of an account\(others)"
      )
    }
  }

  /// The rule that finds private keys and passwords.
  static let secretBelowPath = files(
    "DR3108",
    "secret-below-path",
    .warning,
    [.secret],
    summary: "A path holds private keys or passwords",
    justification:
      "A session has no network, but an extension can hide what it reads in the pictures that it leaves. File permissions "
      + "do not always keep it out: a session of an ordinary user has that user's permissions.",
    remediation: "Move the key out of the path, or show a narrower path."
  ) { "holds \($0), which contain private keys or passwords" }

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
