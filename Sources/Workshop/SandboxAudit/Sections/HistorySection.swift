// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import PolicyTrials
internal import SessionStore

extension AuditEvidence {
  /// The section about the results of attacking the policy.
  var attackSection: AuditSection {
    let title = "Attempts to escape"
    guard let attack else {
      let text =
        "No attempts were made. 'darkroom audit --live' makes every known attempt to escape from the sandbox, on this "
        + "machine and under this policy."
      return AuditSection(id: "attack", title: title, blocks: [.text(text)], data: .null)
    }
    let sums = AttackOutput.summaryLines(attack).filter { !$0.isEmpty }.joined(separator: "; ")
    let open = attack.results.filter { $0.verdict != .blocked }
    var blocks: [AuditBlock] = [
      .notice(attack.count(.gotThrough) == 0 ? .note : .bad, sums), .table(Self.classes(attack)),
    ]
    if !open.isEmpty { blocks.append(.table(Self.unblocked(open))) }
    return AuditSection(id: "attack", title: title, blocks: blocks, data: AttackOutput.json(attack))
  }

  /// Returns a table of the verdicts for each class of attempts.
  private static func classes(_ attack: AttackSummary) -> AuditTable {
    let names = Set(attack.results.map(\.attempt.category)).sorted()
    let verdicts: [AttemptResult.Verdict] = [.blocked, .gotThrough, .unprotected, .untried]
    return AuditTable(
      caption:
        "Attempts to escape; 'darkroom attack' and --json list each attempt, with the layer that blocked it",
      columns: ["Class", "Attempts"] + verdicts.map(\.words),
      rows: names.map { name in
        let results = attack.results.filter { $0.attempt.category == name }
        return [AuditCell(name), AuditCell("\(results.count)")]
          + verdicts.map { verdict in
            let count = results.count { $0.verdict == verdict }
            return AuditCell("\(count)", count > 0 ? verdict.mark : .note)
          }
      }
    )
  }

  /// Returns a table of the attempts that were not blocked or not made.
  private static func unblocked(_ results: [AttemptResult]) -> AuditTable {
    AuditTable(
      caption: "Attempts that got through, or were not possible here",
      columns: ["Attempt", "Verdict", "Answer"],
      rows: results.map { result in
        [
          AuditCell("\(result.attempt.name): \(result.attempt.summary)"),
          AuditCell(result.verdict.words, result.verdict.mark), AuditCell(result.note),
        ]
      }
    )
  }

  /// The section about the sessions in the log.
  var historySection: AuditSection {
    var blocks: [AuditBlock] = [.facts(historyFacts)]
    if !history.notable.isEmpty {
      blocks.append(
        .table(
          .init(
            caption:
              "The newest \(history.notable.count) of \(history.notableCount) "
              + "session\(history.notableCount == 1 ? "" : "s") with refused calls or a failure",
            columns: ["Session", "Logged (UTC)", "Outcome", "Refused", "Details"],
            rows: history.notable.compactMap(Self.row)
          )
        )
      )
    }
    if let wrong = history.verification.invalidEntry {
      blocks.append(.notice(.bad, "Entry \(wrong.line) of the session log is not valid: \(wrong.fault)."))
    }
    for record in history.verification.changedRecords {
      blocks.append(.notice(.bad, "The record of entry \(record.sequence) was changed after it was logged."))
    }
    return AuditSection(id: "sessions", title: "Sessions of the extension", blocks: blocks, data: historyJSON)
  }

  private var historyFacts: [AuditFact] {
    let outcomes = history.outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    var facts = [
      AuditFact("sessions in the log", "\(history.count)"),
      AuditFact("outcomes", outcomes.isEmpty ? "none" : outcomes.joined(separator: ", ")),
    ]
    if let oldest = history.oldest, let newest = history.newest {
      facts.append(
        AuditFact("logged between (UTC)", "\(TimestampText.short(oldest)) and \(TimestampText.short(newest))")
      )
    }
    facts.append(AuditFact("with refused calls or a failure", "\(history.notableCount)"))
    let state = history.verification.isValid ? "unchanged since it was written" : "NOT VALID"
    facts.append(AuditFact("session log", state))
    if let head = history.verification.head {
      facts.append(AuditFact("head of the log, to keep elsewhere", "\(head)"))
    }
    return facts
  }

  private static func row(_ entry: LogEntry) -> [AuditCell]? {
    guard let session = entry.note.session else { return nil }
    let bad = !["completed", "dismissed"].contains(session.outcome)
    return [
      AuditCell(session.id.description), AuditCell(TimestampText.short(entry.note.time)),
      AuditCell(session.outcome, bad ? .bad : .note),
      AuditCell("\(session.refused)", session.refused > 0 ? .warning : .note),
      AuditCell(session.incidents.prefix(4).joined(separator: " · ")),
    ]
  }

  private var historyJSON: JSONValue {
    .object([
      "count": .integer(Int64(history.count)),
      "outcomes": .object(
        history.outcomes.sorted { $0.key < $1.key }.map { .init($0.key, .integer(Int64($0.value))) }
      ),
      "notable": .integer(Int64(history.notableCount)),
      "newestNotable": .array(history.notable.map(\.json)),
      "logIsValid": .bool(history.verification.isValid),
      "logHead": history.verification.head.map { JSONValue.string("\($0)") },
    ])
  }
}

extension AttemptResult.Verdict {
  /// The verdict as text.
  fileprivate var words: String {
    switch self {
    case .blocked: "blocked"
    case .gotThrough: "got through"
    case .unprotected: "not protected"
    case .untried: "not possible here"
    }
  }

  /// The meaning of the verdict for the auditor.
  fileprivate var mark: AuditMark {
    switch self {
    case .blocked: .good
    case .gotThrough, .unprotected: .bad
    case .untried: .note
    }
  }
}
