// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import SandboxPolicy

/// Checks policies: what they grant that few programs need, and what in them does not mean what it seems to.
package enum PolicyLinter {
  /// What there is to say about a policy: the policy's own document first, each in the order of its text.
  ///
  /// Findings that a document justifies are among them, with the justification.
  package static func findings(
    in policy: ResolvedPolicy,
    machine: KnownMachine = .unknown
  ) -> [LintFinding] {
    let linted = LintedPolicy(policy: policy, machine: machine)
    let applicable = PolicyRules.all.filter { machine.has($0.description.evidence) }
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

  /// The mistakes of a document that is no policy, as findings.
  package static func findings(for diagnostics: PolicyDiagnostics) -> [LintFinding] {
    diagnostics.all.map { diagnostic in
      LintFinding(
        rule: PolicyRules.rule(for: diagnostic.mistake).description,
        severity: .error,
        subject: diagnostic.mistake.subject,
        message: "\(diagnostic.mistake.reason); \(diagnostic.mistake.mend)",
        origin: diagnostic.origin,
        keyPath: diagnostic.keyPath
      )
    }
  }

  /// A hit as a finding.
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

  /// The findings in the order of the chain and of the texts.
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
