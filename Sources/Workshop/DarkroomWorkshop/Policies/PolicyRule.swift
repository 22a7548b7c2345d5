// SPDX-License-Identifier: Apache-2.0

internal import PolicyLint

/// A rule of the check of policies.
public struct PolicyRule: Sendable, Hashable {
  /// The evidence that a rule uses in addition to the policy.
  public enum Evidence: String, Sendable, Hashable, CaseIterable {
    /// None: the findings are the same on every machine.
    case policy
    /// The calls that the libseccomp of the machine knows.
    case library
    /// The version of the running kernel.
    case kernel
    /// The files of the machine at the paths that the policy shows.
    case files
  }

  /// The permanent identifier: `DR` and four digits.
  public let id: String
  /// The name, such as `write-and-execute-memory`.
  public let name: String
  /// The severity of the findings.
  public let severity: PolicyFinding.Severity
  /// The evidence.
  public let evidence: Evidence
  /// The problem that the rule finds, as a sentence.
  public let summary: String
  /// The reason why the problem matters.
  public let reason: String
  /// The fix.
  public let fix: String

  /// All rules, in the order of their identifiers.
  public static var all: [PolicyRule] { PolicyRules.descriptions.map { PolicyRule($0) } }

  private init(_ rule: RuleDescription) {
    (id, name, severity) = (rule.id, rule.name, PolicyFinding.Severity(rule.severity))
    evidence =
      switch rule.evidence {
      case .policy: .policy
      case .library: .library
      case .kernel: .kernel
      case .files: .files
      }
    (summary, reason, fix) = (rule.summary, rule.justification, rule.remediation)
  }
}
