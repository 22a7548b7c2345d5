// SPDX-License-Identifier: Apache-2.0

/// What a rule of the check is called and what it is for.
package struct RuleDescription: Sendable, Hashable {
  /// The id, which never gets another meaning: `DR` and four digits.
  package var id: String
  /// The id in words, for example `write-and-execute-memory`.
  package var name: String
  /// How much its findings matter.
  package var severity: FindingSeverity
  /// What it finds, in a sentence.
  package var summary: String
  /// Why that matters, in a sentence or two.
  package var justification: String
  /// What to write instead, in a sentence or two.
  package var remediation: String
  /// What must be known of a machine for the rule to find anything.
  package var evidence: Evidence

  /// What a rule looks at beside the policy.
  package enum Evidence: String, Sendable, Hashable {
    /// Nothing: it finds the same on every machine.
    case policy
    /// The calls that libseccomp knows here.
    case library
    /// The version of the running kernel.
    case kernel
    /// The files that the policy shows here.
    case files
  }
}

/// A rule of the check: what it is for, and how it finds what it finds.
package struct PolicyRule: Sendable {
  /// What it is called and what it is for.
  package let description: RuleDescription
  /// Looks at a policy.
  let find: @Sendable (LintedPolicy) -> [RuleHit]

  /// Makes a rule.
  init(
    _ id: String,
    _ name: String,
    _ severity: FindingSeverity,
    _ evidence: RuleDescription.Evidence = .policy,
    summary: String,
    justification: String,
    remediation: String,
    find: @escaping @Sendable (LintedPolicy) -> [RuleHit]
  ) {
    description = RuleDescription(
      id: id,
      name: name,
      severity: severity,
      summary: summary,
      justification: justification,
      remediation: remediation,
      evidence: evidence
    )
    self.find = find
  }
}
