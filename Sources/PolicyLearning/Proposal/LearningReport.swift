// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import Refusals
package import SandboxPolicy

/// Everything that there is to say of a picture.
package struct LearningReport: Sendable {
  /// The picture.
  package var picture: LearningPicture
  /// The change of the policy.
  package var proposal: PolicyProposal
  /// The proposal as a whole policy.
  package var document: JSONValue
  /// What the policy allows in vain; nil if no run has noted every call.
  package var unused: UnusedRules?
  /// What became of running the program under the proposal; nil if nobody has.
  package var trial: ProposalTrial?
  /// What else the proposal was found to do; nil if nobody has looked.
  package var review: ProposalReview?

  /// Works out what a picture means.
  package init(
    _ picture: LearningPicture,
    _ policy: ResolvedPolicy,
    base: PolicyProposal.Base,
    assumed: Set<String>,
    trial: ProposalTrial? = nil
  ) {
    self.picture = picture
    self.trial = trial
    proposal = PolicyProposal(picture)
    document = proposal.document(of: base, for: picture.subject, runs: picture.runs.count)
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

// MARK: - In words

extension LearningReport {
  /// How many unused calls a line names.
  private static let namedUnused = 12

  /// Lines for a person.
  package var lines: [String] {
    runLines + [stability] + proposalLines + reviewLines + otherLines + unusedLines + trialLines
  }

  /// One line for each run.
  private var runLines: [String] {
    picture.runs.indices.suffix(10).map { index in
      let new = picture.new(in: index + 1).filter { $0.call.standing != .used }
      let news = new.isEmpty ? "nothing new" : "\(new.count) new: " + Self.list(new.map(\.call.text), 6)
      return "run \(index + 1) of \(picture.runs.count)  \(news) (\(picture.runs[index].ending))"
    }
  }

  /// How far the picture can be relied on.
  private var stability: String {
    let quiet = picture.quietRuns
    let runs = picture.runs.count
    if runs == 0 { return "stability  nothing has been run yet" }
    if quiet == 0 {
      return
        "stability  the last run still brought something new: run it again, also with what it does seldom"
    }
    if runs == 1 { return "stability  one run tells little: run it again, also with what it does seldom" }
    return "stability  nothing new in the last \(PolicyProposal.times(quiet))"
  }

  private var proposalLines: [String] {
    guard !proposal.isEmpty else {
      return ["proposal   none: \(picture.base) allows everything that it was seen to need"]
    }
    var lines = ["--- \(picture.base)", "+++ \(document["name"]?.string ?? "learned")"]
    for addition in proposal.additions {
      lines.append("+ \(addition.rule.element.text(.compact))")
      lines.append(
        "    seen     \(addition.because.joined(separator: ", ")): \(Self.count(addition.count)), "
          + "since run \(addition.firstRun)"
      )
      lines.append("    opens    \(addition.opens)")
    }
    if proposal.executions > 0 {
      lines.append("+ \"execute\": \"any\"")
      lines.append("    seen     other programs executed: \(Self.count(proposal.executions))")
      lines.append("    opens    every program that the session sees, as often as it likes")
    }
    return lines
  }

  private var reviewLines: [String] {
    guard let review, !proposal.isEmpty else { return [] }
    let beyond: [String] =
      switch review.beyond {
      case nil: ["beyond     not known: the filters are too large to be compared"]
      case let calls? where calls.isEmpty: ["beyond     nothing: proved of the compiled filters"]
      case let calls?: calls.map { "beyond     \($0) was never seen and is allowed, too" }
      }
    return beyond + review.findings.map { "finding    \($0)" }
  }

  /// What the proposal does not hold.
  private var otherLines: [String] {
    let denied = picture.kinds(.denied).map {
      "denied     \($0.call.text) (\(Self.count($0.count))): \(picture.base) denies it by name, so that nothing that "
        + "extends it can allow it; learn from another base"
    }
    let answered = picture.kinds(.answered).map {
      "answered   \($0.call.text) (\(Self.count($0.count))): it failed as on a kernel without it, which programs cope "
        + "with; add it by hand if this one does not"
    }
    let crowds = picture.crowds.filter { $0.standing != .used }.map {
      "too many   \($0.call): \(Self.count($0.count)) with arguments of too many kinds to keep"
    }
    return denied + answered + crowds
  }

  private var unusedLines: [String] {
    guard let unused else { return [] }
    guard !unused.calls.isEmpty else { return ["unused     nothing of \(picture.base)"] }
    return [
      "unused     \(unused.calls.count) calls of \(picture.base), such as \(Self.list(unused.calls, Self.namedUnused))"
    ]
      + (unused.rules.isEmpty
        ? [] : ["unused     \(unused.rules.count) rules of calls that were used otherwise"])
  }

  private var trialLines: [String] {
    guard let trial else { return [] }
    if let obstacle = trial.obstacle { return ["tried      not: \(obstacle)"] }
    let refused =
      trial.refusals.isEmpty
      ? ["tried      under the proposal nothing was refused that a policy could allow (\(trial.ending))"]
      : ["tried      under the proposal something was still refused (\(trial.ending)): learn from more runs"]
        + trial.refusals.map { "  refused  \($0)" }
    return refused + trial.core.map { "  never    \($0)" }
  }

  private static func count(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private static func list(_ texts: [String], _ most: Int) -> String {
    texts.prefix(most).joined(separator: ", ") + (texts.count > most ? ", …" : "")
  }
}

// MARK: - As data

extension LearningReport {
  /// The report for programs.
  package var json: JSONValue {
    .object([
      "base": .string(picture.base),
      "subject": .array(picture.subject.map { .string($0) }),
      "runs": .array(
        picture.runs.enumerated().map { index, run in
          .object([
            "at": .integer(run.at), "scope": .string(run.scope.rawValue), "ending": .string(run.ending),
            "calls": .integer(Int64(run.calls)),
            "new": .array(picture.new(in: index + 1).map { .string($0.call.text) }),
          ])
        }
      ),
      "quietRuns": .integer(Int64(picture.quietRuns)),
      "calls": .array(picture.kinds.map(\.json)),
      "proposal": .object([
        "additions": .array(proposal.additions.map(\.json)),
        "executions": .integer(Int64(proposal.executions)),
        "document": proposal.isEmpty ? nil : document,
      ]),
      "unused": unused?.json,
      "trial": trial?.json,
      "beyond": review?.beyond.map { .array($0.map { .string($0) }) },
      "findings": review.map { .array($0.findings.map { .string($0) }) },
    ])
  }
}

extension PolicyProposal.Addition {
  /// The addition as data.
  fileprivate var json: JSONValue {
    [
      "rule": rule.element, "because": .array(because.map { .string($0) }), "count": .integer(Int64(count)),
      "firstRun": .integer(Int64(firstRun)), "loosened": .bool(isLoosened), "opens": .string(opens),
    ]
  }
}

extension ProposalTrial {
  /// The trial as data.
  fileprivate var json: JSONValue {
    .object([
      "ending": .string(ending), "refusals": .array(refusals.map { .string($0) }),
      "core": .array(core.map { .string($0) }), "obstacle": obstacle.map { .string($0) },
    ])
  }
}
