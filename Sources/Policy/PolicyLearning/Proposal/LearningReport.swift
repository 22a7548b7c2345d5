// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

/// The complete analysis of a profile.
package struct LearningReport: Sendable {
  package var profile: LearningProfile
  /// The proposed changes of the policy.
  package var proposal: PolicyProposal
  /// The proposal as a complete policy.
  package var document: JSONValue
  /// The proposal without unused rules of the base, or `nil` if it was not requested or no run recorded all
  /// calls.
  package var minimal: MinimalPolicy?
  /// The unused rules of the base, or `nil` if no run recorded all calls.
  package var unused: UnusedRules?
  /// The result of running the program under the proposal, or `nil` if there was no trial.
  package var trial: ProposalTrial?
  /// The results of reviewing the proposal, or `nil` if there was no review.
  package var review: ProposalReview?

  /// The extent of a proposal.
  package enum Extent: Sendable, Hashable {
    /// The whole base, and the calls that the program needs in addition.
    case additions
    /// Only the calls that the program needs.
    case least
  }

  /// Whether there is a policy to propose.
  package var hasProposal: Bool { minimal != nil || !proposal.isEmpty }

  /// Creates the report of a profile.
  package init(
    _ profile: LearningProfile,
    _ policy: ResolvedPolicy,
    base: PolicyProposal.Base,
    assumed: Set<String>,
    extent: Extent = .additions,
    trial: ProposalTrial? = nil
  ) {
    self.profile = profile
    self.trial = trial
    proposal = PolicyProposal(profile)
    minimal =
      extent == .least && profile.hasCompleteRun
      ? MinimalPolicy(policy, profile, proposal, assumed: assumed) : nil
    document =
      minimal?.document ?? proposal.document(of: base, for: profile.subject, runs: profile.runs.count)
    unused = profile.hasCompleteRun ? UnusedRules(policy, profile, assumed: assumed) : nil
  }
}

/// The result of running a program under a proposal, in the regular sandbox.
package struct ProposalTrial: Sendable, Hashable {
  /// The outcome of the run, as text.
  package var ending: String
  /// The refusals that a policy could avoid, one sentence each.
  package var refusals: [String]
  /// The refusals that no policy can avoid, one sentence each.
  package var core: [String]
  /// The reason for which there was no trial, or `nil` if there was one.
  package var obstacle: String?

  /// Creates a result.
  package init(ending: String, refusals: [String], core: [String], obstacle: String? = nil) {
    self.ending = ending
    self.refusals = refusals
    self.core = core
    self.obstacle = obstacle
  }
}

/// The results of reviewing a proposal.
package struct ProposalReview: Sendable, Hashable {
  /// Calls that the proposal allows, the base does not allow, and no run made: one example for each name. The
  /// value is `nil` if they are unknown.
  package var beyond: [String]?
  /// The findings of the policy linter that the base does not have, one line each.
  package var findings: [String]

  /// Creates a review.
  package init(beyond: [String]?, findings: [String]) {
    self.beyond = beyond
    self.findings = findings
  }
}
