// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about sandbox layers and about executing programs.
extension PolicyRule {
  /// The rule that finds layers that may be missing at a launch.
  static let bestEffortLayer = PolicyRule(
    "DR5001",
    "best-effort-layer",
    .warning,
    summary: "A launch may do without a layer of the sandbox",
    justification:
      "On a kernel that lacks the layer the session runs all the same, with less between it and the host. The record says "
      + "so, afterwards.",
    remediation:
      "Leave the layer out of \"bestEffort\", or say in a justification on which machines it is missing."
  ) { linted in
    guard let own = linted.documents.lazy.compactMap(\.bestEffort).first else { return [] }
    return own.value.sorted { $0.rawValue < $1.rawValue }.map { layer in
      let (words, severity) = layer.absence
      return RuleHit(layer.rawValue, own.origin, "\(layer.rawValue) may be missing: \(words)", severity)
    }
  }

  /// The rule that finds policies that allow executing any program.
  static let anyProgram = PolicyRule(
    "DR5002",
    "any-program",
    .note,
    summary: "Any program that the session sees can be started",
    justification:
      "Whoever takes over the extension has a shell and every interpreter at hand instead of one program.",
    remediation: "Set \"execute\" to \"once\" if the extension starts no other program."
  ) { linted in
    guard linted.policy.execute == .any else { return [] }
    let isWritten = linted.documents.contains { $0.execute != nil }
    let words =
      isWritten ? "execute is \"any\"" : "nothing says whether programs can be started, which means any"
    return [RuleHit("execute", linted.policy.executeOrigin, words)]
  }
}

extension PolicyRule {
  /// The rule that finds policies that deliver content under the names that the extension chose.
  static let contentAsWritten = PolicyRule(
    "DR5003",
    "content-as-written",
    .warning,
    summary: "Content is delivered with the names that the extension chose",
    justification:
      "Other programs can take a name for an option or a command, and a directory for a repository whose configuration names "
      + "programs to run. An extension that was taken over reaches them by the names of its files.",
    remediation: "Leave \"content\" out, or say in a justification which names the app relies on."
  ) { linted in
    guard linted.policy.content == .asWritten,
      let own = linted.documents.lazy.compactMap(\.content).first
    else { return [] }
    return [RuleHit("content", own.origin, "content is \"asWritten\"")]
  }
}

extension Layer {
  /// The effect on a session if the layer is missing, and its severity.
  fileprivate var absence: (words: String, severity: FindingSeverity) {
    switch self {
    case .timeNamespace: ("the session's clocks tell since when the machine has been running", .note)
    case .cgroupNamespace: ("the session sees the name of its control group", .note)
    case .landlock: ("the session's root is the only thing that keeps files closed", .warning)
    case .userNamespace:
      (
        "the session then has no namespace and no root; only the filter and Landlock keep files closed",
        .warning
      )
    default: ("this layer is always required", .error)
    }
  }
}
