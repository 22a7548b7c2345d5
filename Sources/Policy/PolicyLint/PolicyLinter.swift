// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import SandboxPolicy

/// A linter that finds grants that few programs need, and parts of policies with a misleading appearance.
package enum PolicyLinter {
  /// Returns the findings in a policy, sorted by document, with the policy itself first, and by position.
  ///
  /// Justified findings are included, with their justifications.
  package static func findings(
    in policy: ResolvedPolicy,
    machine: MachineEvidence = .unknown
  ) -> [LintFinding] {
    let linted = LintedPolicy(policy: policy, machine: machine)
    let applicable = PolicyRules.all.filter { machine.provides($0.description.evidence) }
    var findings: [LintFinding] = []
    var seen: Set<[String]> = []
    for rule in applicable {
      for hit in rule.find(linted) {
        let identity = [rule.description.id, "\(hit.origin)", hit.subject]
        guard seen.insert(identity).inserted else { continue }
        findings.append(finding(rule.description, hit, linted))
      }
    }
    let review = JustificationReview(findings, linted, rules: applicable.map(\.description))
    let remarks = review.hits.map { finding($0.rule.description, $0.hit, linted) }
    return ordered(review.findings + remarks, linted)
  }

  /// Returns the errors of an invalid document as findings.
  package static func findings(for diagnostics: PolicyDiagnostics) -> [LintFinding] {
    diagnostics.all.map { diagnostic in
      LintFinding(
        rule: PolicyRules.rule(for: diagnostic.mistake).description,
        severity: .error,
        subject: diagnostic.mistake.subject,
        message: "\(diagnostic.mistake.reason); \(diagnostic.mistake.fix)",
        origin: diagnostic.origin,
        keyPath: diagnostic.keyPath
      )
    }
  }

  /// Returns a hit as a finding.
  private static func finding(
    _ rule: RuleDescription,
    _ hit: RuleHit,
    _ linted: LintedPolicy
  ) -> LintFinding {
    LintFinding(
      rule: rule,
      severity: hit.severity ?? rule.severity,
      subject: hit.subject,
      message: hit.message,
      origin: hit.origin,
      keyPath: linted.entry(at: hit.origin)?.keyPath ?? ""
    )
  }

  /// Returns the findings sorted by document and position.
  private static func ordered(_ findings: [LintFinding], _ linted: LintedPolicy) -> [LintFinding] {
    func key(_ finding: LintFinding) -> (Int, Int, Int, String) {
      let position = finding.origin.position
      return (linted.index(of: finding.origin) ?? .max, position.line, position.column, finding.rule.id)
    }
    return findings.enumerated().sorted { a, b in
      let (left, right) = (key(a.element), key(b.element))
      return left == right ? a.offset < b.offset : left < right
    }.map(\.element)
  }
}
