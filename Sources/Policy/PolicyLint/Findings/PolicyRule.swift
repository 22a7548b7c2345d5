// SPDX-License-Identifier: Apache-2.0

/// The name, severity and documentation of a lint rule.
package struct RuleDescription: Sendable, Hashable {
  /// The permanent identifier: `DR` and four digits.
  package var id: String
  /// The name, such as `write-and-execute-memory`.
  package var name: String
  /// The default severity of the findings.
  package var severity: FindingSeverity
  /// The problem that the rule finds, in one sentence.
  package var summary: String
  /// The reason why the problem matters, in one or two sentences.
  package var justification: String
  /// The fix, in one or two sentences.
  package var remediation: String
  /// The facts about the machine that the rule needs.
  package var evidence: Evidence

  /// The facts that a rule needs in addition to the policy.
  package enum Evidence: String, Sendable, Hashable {
    /// No facts: the findings are the same on every machine.
    case policy
    /// The calls that the machine's libseccomp knows.
    case library
    /// The version of the running kernel.
    case kernel
    /// The files of the machine at the paths that the policy shows.
    case files
  }
}

/// A lint rule with its documentation and implementation.
package struct PolicyRule: Sendable {
  /// The name, severity and documentation of the rule.
  package let description: RuleDescription
  /// Returns the hits of the rule in a policy.
  let find: @Sendable (LintedPolicy) -> [RuleHit]

  /// Creates a rule.
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
