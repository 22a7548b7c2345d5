// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

/// Everything that there is to say of a picture.
package struct LearningReport: Sendable {
  /// The picture.
  package var picture: LearningPicture
  /// The change of the policy.
  package var proposal: PolicyProposal
  /// The proposal as a whole policy.
  package var document: JSONValue
  /// The proposal without what the policy allows in vain, where that was asked for.
  package var least: LeastPolicy?
  /// What the policy allows in vain; nil if no run has noted every call.
  package var unused: UnusedRules?
  /// What became of running the program under the proposal; nil if nobody has.
  package var trial: ProposalTrial?
  /// What else the proposal was found to do; nil if nobody has looked.
  package var review: ProposalReview?

  /// The extent of a proposal.
  package enum Extent: Sendable, Hashable {
    /// The whole base, and what the program needs beyond it.
    case additions
    /// Only what the program needs.
    case least
  }

  /// Whether there is a policy to propose.
  package var hasProposal: Bool { least != nil || !proposal.isEmpty }

  /// Works out what a picture means.
  package init(
    _ picture: LearningPicture,
    _ policy: ResolvedPolicy,
    base: PolicyProposal.Base,
    assumed: Set<String>,
    extent: Extent = .additions,
    trial: ProposalTrial? = nil
  ) {
    self.picture = picture
    self.trial = trial
    proposal = PolicyProposal(picture)
    least =
      extent == .least && picture.hasEveryCall
      ? LeastPolicy(policy, picture, proposal, assumed: assumed) : nil
    document =
      least?.document ?? proposal.document(of: base, for: picture.subject, runs: picture.runs.count)
    unused = picture.hasEveryCall ? UnusedRules(policy, picture, assumed: assumed) : nil
  }
}

/// What became of a program under a proposal, in the ordinary sandbox.
package struct ProposalTrial: Sendable, Hashable {
  /// How it ended, in words.
  package var ending: String
  /// What it was still refused, a sentence each, that some policy could allow.
  package var refusals: [String]
  /// What it asked for that no policy can allow, a sentence each.
  package var core: [String]
  /// Why there was no trial; nil if there was one.
  package var obstacle: String?

  /// Describes a trial.
  package init(ending: String, refusals: [String], core: [String], obstacle: String? = nil) {
    self.ending = ending
    self.refusals = refusals
    self.core = core
    self.obstacle = obstacle
  }
}

/// What a look at the whole proposal has brought.
package struct ProposalReview: Sendable, Hashable {
  /// Calls that it allows, the base does not, and nobody has seen, one of each name; nil if that is not known.
  package var beyond: [String]?
  /// What a check of policies has to say of it and not of the base, a line each.
  package var findings: [String]

  /// Describes a review.
  package init(beyond: [String]?, findings: [String]) {
    self.beyond = beyond
    self.findings = findings
  }
}
