// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import Refusals

extension LearningReport {
  /// The maximum number of unused calls that a line lists.
  private static let namedUnused = 12

  /// The report as lines of text.
  package var lines: [String] {
    runLines + [stability] + proposalLines + reviewLines + otherLines + unusedLines + trialLines
  }

  /// One line for each run.
  private var runLines: [String] {
    profile.runs.indices.suffix(10).map { index in
      let new = profile.new(in: index + 1).filter { $0.call.status != .used }
      let news = new.isEmpty ? "nothing new" : "\(new.count) new: " + Self.list(new.map(\.call.text), 6)
      return "run \(index + 1) of \(profile.runs.count)  \(news) (\(profile.runs[index].ending))"
    }
  }

  /// The reliability of the profile.
  private var stability: String {
    let quiet = profile.stableRuns
    let runs = profile.runs.count
    if runs == 0 { return "stability  nothing has been run yet" }
    if quiet == 0 {
      return
        "stability  the last run still brought something new: run it again, also with what it does seldom"
    }
    if runs == 1 { return "stability  one run tells little: run it again, also with what it does seldom" }
    return "stability  nothing new in the last \(PolicyProposal.runCount(quiet))"
  }

  /// The proposed changes, one by one.
  private var proposalLines: [String] {
    guard hasProposal else {
      return ["proposal   none: \(profile.base) allows everything that it was seen to need"]
    }
    var lines = ["--- \(profile.base)", "+++ \(document["name"]?.string ?? "learned")"]
    if let minimal {
      lines.append(
        "least      \(minimal.calls.count) calls, of \(minimal.baseCallCount) that \(profile.base) allows: "
          + minimal.calls.joined(separator: ", ")
      )
    }
    for addition in proposal.additions {
      lines.append("+ \(addition.rule.element.text(.compact))")
      lines.append(
        "    seen     \(addition.evidence.joined(separator: ", ")): \(Self.count(addition.count)), "
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

  /// The results of the review.
  private var reviewLines: [String] {
    guard let review, hasProposal else { return [] }
    let beyond: [String] =
      switch review.beyond {
      case nil: ["beyond     not known: the filters are too large to be compared"]
      case let calls? where calls.isEmpty: ["beyond     nothing: proved of the compiled filters"]
      case let calls?: calls.map { "beyond     \($0) was never seen and is allowed, too" }
      }
    return beyond + review.findings.map { "finding    \($0)" }
  }

  /// The refused calls that the proposal does not allow.
  private var otherLines: [String] {
    let denied = profile.kinds(.denied).map {
      "denied     \($0.call.text) (\(Self.count($0.count))): \(profile.base) denies it by name, so that nothing that "
        + "extends it can allow it; learn from another base"
    }
    let answered = profile.kinds(.answered).map {
      "answered   \($0.call.text) (\(Self.count($0.count))): it failed as on a kernel without it, which programs cope "
        + "with; add it by hand if this one does not"
    }
    let summaries = profile.summaries.filter { $0.status != .used }.map {
      "too many   \($0.call): \(Self.count($0.count)) with arguments of too many kinds to keep"
    }
    return denied + answered + summaries
  }

  /// The calls and rules of the base that were not used.
  private var unusedLines: [String] {
    guard let unused else { return [] }
    guard !unused.calls.isEmpty else { return ["unused     nothing of \(profile.base)"] }
    return [
      "unused     \(unused.calls.count) calls of \(profile.base), such as \(Self.list(unused.calls, Self.namedUnused))"
    ]
      + (unused.rules.isEmpty
        ? [] : ["unused     \(unused.rules.count) rules of calls that were used otherwise"])
  }

  /// The result of the trial.
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

  /// Returns `once` or `7 times`.
  private static func count(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  /// Returns the first few texts, separated by commas.
  private static func list(_ texts: [String], _ most: Int) -> String {
    texts.prefix(most).joined(separator: ", ") + (texts.count > most ? ", …" : "")
  }
}
