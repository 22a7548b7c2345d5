// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about documents.
extension PolicyRule {
  /// The rule that reports errors in a document.
  static let invalidDocument = PolicyRule(
    "DR0001",
    "invalid-document",
    .error,
    summary: "The document is no policy",
    justification:
      "A document with a mistake is refused as a whole, so that nothing is ever enforced that its author did not write.",
    remediation: "Correct the mistake; 'darkroom schema policy' prints the schema for editors."
  ) { _ in [] }

  /// The rule that finds justifications without a finding.
  static let unusedJustification = PolicyRule(
    "DR0002",
    "unused-justification",
    .warning,
    summary: "A justification is for something that is not found",
    justification:
      "A reason that outlives its grant is there already when the grant comes back, and then nobody looks at it.",
    remediation: "Remove the justification, or correct its rule or subject."
  ) { _ in [] }

  /// The rule that finds justifications that apply to several findings.
  static let broadJustification = PolicyRule(
    "DR0003",
    "broad-justification",
    .note,
    summary: "A justification without a subject covers several findings",
    justification: "It covers the next finding of the same rule as well, which nobody has judged yet.",
    remediation: "Write one justification for each subject."
  ) { _ in [] }

  /// The rule that finds justifications of rules that do not exist.
  static let unknownJustifiedRule = PolicyRule(
    "DR0004",
    "unknown-justified-rule",
    .warning,
    summary: "A justification names a rule that there is not",
    justification: "It justifies nothing.",
    remediation: "Use an id that 'darkroom policy check --rules' lists."
  ) { _ in [] }

  /// The rule that finds documents without a description.
  static let missingDescription = PolicyRule(
    "DR0005",
    "missing-description",
    .note,
    summary: "The policy does not say what it is for",
    justification: "Whoever judges whether it grants too much has to know what it is meant to grant.",
    remediation: "Add \"description\" with a sentence."
  ) { linted in
    linted.documents.filter { $0.description.isEmpty }.map {
      RuleHit($0.name.value, $0.name.origin, "\"\($0.name.value)\" has no description")
    }
  }
}
