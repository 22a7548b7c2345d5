// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The assignment of justifications in a policy's documents to findings, and the findings about unused
/// justifications.
///
/// A document can justify findings in itself and in its ancestors, because it accepts them by extending them.
/// It cannot justify findings in its descendants, whose content is unknown to its author.
struct JustificationReview {
  /// The findings with their justifications.
  private(set) var findings: [LintFinding] = []
  /// The findings about the justifications themselves.
  private(set) var hits: [(rule: PolicyRule, hit: RuleHit)] = []
  /// The subjects of the findings that each justification applies to.
  private var uses: [PolicyOrigin: Set<String>] = [:]

  /// Creates a review of the findings.
  init(_ findings: [LintFinding], _ linted: LintedPolicy, rules: [RuleDescription]) {
    for finding in findings {
      var finding = finding
      let justifications = Self.justifications(of: finding, linted)
      finding.justification = justifications.first
      // Every match counts as a use, including a justification that a nearer document repeats.
      for justification in justifications {
        uses[justification.origin, default: []].insert(finding.subject)
      }
      self.findings.append(finding)
    }
    // Justifications of ancestors are reviewed when the ancestors are checked. A policy can deny a call that
    // its parent grants, which leaves the parent's justification without a use and is not an error of either
    // document.
    for justification in linted.documents.first?.justifications ?? [] {
      review(justification, rules: rules)
    }
  }

  /// Returns the justifications of a finding, with those of its own document first.
  private static func justifications(
    of finding: LintFinding,
    _ linted: LintedPolicy
  ) -> [PolicyJustification] {
    guard let index = linted.index(of: finding.origin) else { return [] }
    return linted.documents[...index].reversed().flatMap(\.justifications).filter { candidate in
      candidate.rule.value == finding.rule.id
        && (candidate.subject == nil || candidate.subject?.value == finding.subject)
    }
  }

  /// Reports an unknown, unused or broad justification.
  private mutating func review(_ justification: PolicyJustification, rules: [RuleDescription]) {
    let id = justification.rule.value
    let subject = justification.subject.map { "\(id) \($0.value)" } ?? id
    guard PolicyRules.byID[id] != nil else {
      hits.append(
        (.unknownJustifiedRule, RuleHit(subject, justification.rule.origin, "there is no rule \(id)"))
      )
      return
    }
    // Findings that depend on the machine may need the justification elsewhere.
    guard rules.contains(where: { $0.id == id && $0.evidence == .policy }) else { return }
    let used = uses[justification.origin] ?? []
    if used.isEmpty {
      let about = justification.subject.map { " about \"\($0.value)\"" } ?? ""
      let message = "\(id) has no finding\(about) in this document or in those that it extends"
      hits.append((.unusedJustification, RuleHit(subject, justification.origin, message)))
    } else if justification.subject == nil, used.count > 1 {
      let names = used.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      let message = "one justification covers all findings of \(id): \(names)"
      hits.append((.broadJustification, RuleHit(subject, justification.origin, message)))
    }
  }
}
