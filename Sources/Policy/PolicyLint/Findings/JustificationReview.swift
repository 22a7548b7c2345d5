// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Which findings the documents of a policy justify, and which of their justifications are idle.
///
/// A document speaks for itself and for what it extends: whoever extends a policy takes it as it is, but nobody can have
/// justified beforehand what others add.
struct JustificationReview {
  /// The findings, with their justifications.
  private(set) var findings: [LintFinding] = []
  /// What is to be said of the justifications themselves.
  private(set) var hits: [(rule: PolicyRule, hit: RuleHit)] = []
  /// What each justification has been used for.
  private var uses: [PolicyOrigin: Set<String>] = [:]

  /// Goes through the findings.
  init(_ findings: [LintFinding], _ linted: LintedPolicy, rules: [RuleDescription]) {
    for finding in findings {
      var finding = finding
      let justifications = Self.justifications(of: finding, linted)
      finding.justification = justifications.first
      // All of them: one that stands in a nearer document, too, is not idle.
      for justification in justifications {
        uses[justification.origin, default: []].insert(finding.subject)
      }
      self.findings.append(finding)
    }
    // Those of other documents are looked at when these are checked: a policy that denies what its parent grants leaves
    // the parent's justification without a use, and that is no fault of either.
    for justification in linted.documents.first?.justifications ?? [] {
      review(justification, rules: rules)
    }
  }

  /// The justifications of a finding: those of its own document first.
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

  /// Says what is to be said of one justification.
  private mutating func review(_ justification: PolicyJustification, rules: [RuleDescription]) {
    let id = justification.rule.value
    let subject = justification.subject.map { "\(id) \($0.value)" } ?? id
    guard PolicyRules.byID[id] != nil else {
      hits.append(
        (.unknownJustifiedRule, RuleHit(subject, justification.rule.origin, "there is no rule \(id)"))
      )
      return
    }
    // What is found on another machine may need it.
    guard rules.contains(where: { $0.id == id && $0.evidence == .policy }) else { return }
    let used = uses[justification.origin] ?? []
    if used.isEmpty {
      let about = justification.subject.map { " about \"\($0.value)\"" } ?? ""
      let message = "\(id) finds nothing\(about) in this document or in those that it extends"
      hits.append((.unusedJustification, RuleHit(subject, justification.origin, message)))
    } else if justification.subject == nil, used.count > 1 {
      let names = used.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      let message = "one reason stands for all that \(id) finds: \(names)"
      hits.append((.broadJustification, RuleHit(subject, justification.origin, message)))
    }
  }
}
