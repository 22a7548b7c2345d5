// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about sandbox layers and about executing programs.
extension PolicyRule {
  /// The rule that finds layers that may be missing at a launch.
  static let bestEffortLayer = PolicyRule(
    "DR5001",
    "best-effort-layer",
    .warning,
    summary: "A launch does not require a layer of the sandbox",
    justification:
      "On a kernel without the layer, the session runs with less protection for the host. Only the record reports "
      + "the missing layer.",
    remediation:
      "Remove the layer from \"bestEffort\", or name the machines without the layer in a justification."
  ) { linted in
    guard let own = linted.documents.lazy.compactMap(\.bestEffort).first else { return [] }
    return own.value.sorted { $0.rawValue < $1.rawValue }.map { layer in
      let (words, severity) = layer.absence
      return RuleHit(layer.rawValue, own.origin, "\(layer.rawValue) is optional: \(words)", severity)
    }
  }

  /// The rule that finds policies that allow executing any program.
  static let anyProgram = PolicyRule(
    "DR5002",
    "any-program",
    .note,
    summary: "Every program that is visible in the session can be started",
    justification:
      "An attacker who controls the extension can use a shell and every interpreter instead of one program.",
    remediation: "Set \"execute\" to \"once\" if the extension starts no other program."
  ) { linted in
    guard linted.policy.execute == .any else { return [] }
    let isWritten = linted.documents.contains { $0.execute != nil }
    let words =
      isWritten ? "execute is \"any\"" : "execute is not set; the default is \"any\""
    return [RuleHit("execute", linted.policy.executeOrigin, words)]
  }
}

extension PolicyRule {
  /// The rule that finds policies that deliver content under the names that the extension chose.
  static let contentAsWritten = PolicyRule(
    "DR5003",
    "content-as-written",
    .warning,
    summary: "Content is delivered with the file names that the extension chose",
    justification:
      "Other programs can interpret a name as an option or a command, and a directory as a repository whose "
      + "configuration names programs to run. A compromised extension can attack these programs by its file names.",
    remediation: "Remove \"content\", or name the file names that the app relies on in a justification."
  ) { linted in
    guard linted.policy.content == .asWritten,
      let own = linted.documents.lazy.compactMap(\.content).first
    else { return [] }
    return [RuleHit("content", own.origin, "content is \"asWritten\"")]
  }
}

extension PolicyRule {
  /// The rule that finds access that a single mechanism may deny.
  static let singleMechanism = PolicyRule(
    "DR5004",
    "single-mechanism",
    .warning,
    summary: "A session without namespaces may rely on a single mechanism of the kernel",
    justification:
      "A fault in this mechanism then gives the extension the access. The session record names the mechanism.",
    remediation:
      "Remove the access from \"acceptSingleMechanism\", or name the machines without namespaces in a justification."
  ) { linted in
    guard let own = linted.documents.lazy.compactMap(\.acceptSingleMechanism).first else { return [] }
    return own.value.map(\.rawValue).sorted().map { access in
      RuleHit(access, own.origin, "a single mechanism may deny \(access) to a session without namespaces")
    }
  }
}

extension Layer {
  /// The effect on a session if the layer is missing, and its severity.
  fileprivate var absence: (words: String, severity: FindingSeverity) {
    switch self {
    case .timeNamespace:
      ("without it, the session's clocks reveal how long the machine has been running", .note)
    case .cgroupNamespace: ("without it, the session sees the name of its control group", .note)
    case .landlock: ("without it, only the session's root protects files", .warning)
    case .userNamespace:
      (
        "without it, the session has no namespaces and no root; only the filter and Landlock protect files",
        .warning
      )
    default: ("this layer is always required", .error)
    }
  }
}
