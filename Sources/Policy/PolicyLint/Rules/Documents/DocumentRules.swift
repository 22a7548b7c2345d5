// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about documents.
extension PolicyRule {
  /// The rule that reports errors in a document.
  static let invalidDocument = PolicyRule(
    "DR0001",
    "invalid-document",
    .error,
    summary: "The document is not a valid policy",
    justification:
      "A document with an error is rejected as a whole. A policy is never enforced in part.",
    remediation: "Correct the error; 'darkroom schema policy' prints the JSON schema for editors."
  ) { _ in [] }

  /// The rule that finds justifications without a finding.
  static let unusedJustification = PolicyRule(
    "DR0002",
    "unused-justification",
    .warning,
    summary: "A justification has no finding",
    justification:
      "An outdated justification accepts the permission without a review if the permission is added again.",
    remediation: "Remove the justification, or correct its rule or subject."
  ) { _ in [] }

  /// The rule that finds justifications that apply to several findings.
  static let broadJustification = PolicyRule(
    "DR0003",
    "broad-justification",
    .note,
    summary: "A justification without a subject covers several findings",
    justification: "The justification also covers later findings of the same rule, which were not reviewed.",
    remediation: "Write one justification for each subject."
  ) { _ in [] }

  /// The rule that finds justifications of rules that do not exist.
  static let unknownJustifiedRule = PolicyRule(
    "DR0004",
    "unknown-justified-rule",
    .warning,
    summary: "A justification names a rule that does not exist",
    justification: "The justification has no effect.",
    remediation: "Use an ID from the list of 'darkroom policy check --rules'."
  ) { _ in [] }

  /// The rule that finds documents without a description.
  static let missingDescription = PolicyRule(
    "DR0005",
    "missing-description",
    .note,
    summary: "The policy has no description",
    justification: "A reviewer needs the purpose of a policy to judge whether it grants too much.",
    remediation: "Add \"description\" with one sentence."
  ) { linted in
    linted.documents.filter { $0.description.isEmpty }.map {
      RuleHit($0.name.value, $0.name.origin, "\"\($0.name.value)\" has no description")
    }
  }
}
