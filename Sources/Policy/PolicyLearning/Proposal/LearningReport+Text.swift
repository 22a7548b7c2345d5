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
    if runs == 0 { return "stability  no runs yet" }
    if quiet == 0 {
      return
        "stability  the last run still found new calls: run the program again, including its rare functions"
    }
    if runs == 1 {
      return "stability  one run is not sufficient: run the program again, including its rare functions"
    }
    return "stability  nothing new in the last \(PolicyProposal.runCount(quiet))"
  }

  /// The lines that list the proposed changes.
  private var proposalLines: [String] {
    guard hasProposal else {
      return ["proposal   none: \(profile.base) allows all calls that the program needed"]
    }
    var lines = ["--- \(profile.base)", "+++ \(document["name"]?.string ?? "learned")"]
    if let minimal {
      lines.append(
        "minimum    \(minimal.calls.count) call\(minimal.calls.count == 1 ? "" : "s"), of \(minimal.baseCallCount) that "
          + "\(profile.base) allows: " + minimal.calls.joined(separator: ", ")
      )
    }
    for addition in proposal.additions {
      lines.append("+ \(addition.rule.element.text(.compact))")
      lines.append(
        "    seen     \(addition.evidence.joined(separator: ", ")): \(Self.count(addition.count)), "
          + "since run \(addition.firstRun)"
      )
      lines.append("    allows   \(addition.opens)")
    }
    if proposal.executions > 0 {
      lines.append("+ \"execute\": \"any\"")
      lines.append("    seen     other programs executed: \(Self.count(proposal.executions))")
      lines.append("    allows   every program that is visible in the session, any number of times")
    }
    return lines
  }

  /// The results of the review.
  private var reviewLines: [String] {
    guard let review, hasProposal else { return [] }
    let beyond: [String] =
      switch review.beyond {
      case nil: ["beyond     unknown: the filters are too large to compare"]
      case let calls? where calls.isEmpty: ["beyond     nothing: proved for the compiled filters"]
      case let calls?: calls.map { "beyond     \($0) is also allowed, but was never observed" }
      }
    return beyond + review.findings.map { "finding    \($0)" }
  }

  /// The refused calls that the proposal does not allow.
  private var otherLines: [String] {
    let denied = profile.kinds(.denied).map {
      "denied     \($0.call.text) (\(Self.count($0.count))): \(profile.base) denies the call by name, so no "
        + "extending policy can allow it; learn from another base"
    }
    let answered = profile.kinds(.answered).map {
      "answered   \($0.call.text) (\(Self.count($0.count))): failed with ENOSYS or EOPNOTSUPP, which programs "
        + "handle; if the program needs the call, add a rule"
    }
    let summaries = profile.summaries.filter { $0.status != .used }.map {
      "too many   \($0.call): \(Self.count($0.count)) with too many different arguments to record"
    }
    return denied + answered + summaries
  }

  /// The calls and rules of the base that were not used.
  private var unusedLines: [String] {
    guard let unused else { return [] }
    guard !unused.calls.isEmpty else { return ["unused     nothing of \(profile.base)"] }
    let calls = unused.calls.count == 1 ? "1 call" : "\(unused.calls.count) calls"
    let rules = unused.rules.count == 1 ? "1 rule" : "\(unused.rules.count) rules"
    return ["unused     \(calls) of \(profile.base), such as \(Self.list(unused.calls, Self.namedUnused))"]
      + (unused.rules.isEmpty ? [] : ["unused     \(rules) of calls that were used with other arguments"])
  }

  /// The result of the trial.
  private var trialLines: [String] {
    guard let trial else { return [] }
    if let obstacle = trial.obstacle { return ["trial      not run: \(obstacle)"] }
    let refused =
      trial.refusals.isEmpty
      ? ["trial      the proposal refused no calls that a policy could allow (\(trial.ending))"]
      : ["trial      the proposal still refused calls (\(trial.ending)): learn from more runs"]
        + trial.refusals.map { "  refused  \($0)" }
    return refused + trial.core.map { "  core     \($0)" }
  }

  /// Returns `once` or `7 times`.
  private static func count(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  /// Returns the first few texts, separated by commas.
  private static func list(_ texts: [String], _ most: Int) -> String {
    texts.prefix(most).joined(separator: ", ") + (texts.count > most ? ", …" : "")
  }
}
