// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import JSONText
internal import LaunchPlanning
package import PolicyLearning
internal import PolicyLint
internal import SandboxEnforcement
package import SandboxPolicy

extension LearningReport {
  /// Creates the report of a profile, with a review of the proposal.
  ///
  /// - Throws: A `JSONSyntaxError` if the document of the base policy is not valid JSON.
  package init(
    reviewing profile: LearningProfile,
    _ policy: ResolvedPolicy,
    extent: Extent,
    trial: ProposalTrial?
  ) throws(JSONSyntaxError) {
    self.init(
      profile,
      policy,
      base: try Self.base(policy),
      assumed: Set(LearningScope.unreportedCalls + LearningScope.kernelCalls),
      extent: extent,
      trial: trial
    )
    review = reviewed(against: policy)
  }

  /// Returns the other effects of the proposal, or `nil` if there is no proposal or it contradicts itself.
  private func reviewed(against base: ResolvedPolicy) -> ProposalReview? {
    let text = document.bytes(.indented)
    guard hasProposal, let changed = try? PolicyFinder.resolve(text, source: "the proposal").policy else {
      return nil
    }
    let known = Set(PolicyLinter.findings(in: base).map { "\($0.rule.id) \($0.subject)" })
    let findings = PolicyLinter.findings(in: changed).filter {
      $0.isOpen && !known.contains("\($0.rule.id) \($0.subject)")
    }
    return ProposalReview(
      beyond: try? ProposalComparison(of: changed, against: base, seen: profile).unobserved,
      findings: findings.map { "\($0.severity.rawValue): \($0.message) [\($0.rule.id) \($0.rule.name)]" }
    )
  }

  /// Returns the policy that a proposal changes.
  private static func base(_ policy: ResolvedPolicy) throws(JSONSyntaxError) -> PolicyProposal.Base {
    guard case .document = policy.extensibility, let text = policy.documents.first?.text else {
      return .named(policy.name)
    }
    // The document is taken from memory: the file may have changed since, and a pipe can be read only once.
    return .document(try JSONNode.parse(text).value)
  }
}
