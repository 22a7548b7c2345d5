// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation
internal import Refusals
internal import SessionServices
internal import SessionStore

/// The output of `darkroom batch`: the progress and the failures on standard error, the summary or the events
/// as JSON on standard output.
struct BatchOutput {
  /// The maximum number of failures of earlier runs that are printed.
  private static let maximumEarlierFailures = 20
  /// The sequence of a terminal that clears the current line.
  private static let clearLine = "\r\u{1B}[K"

  private let console: Console
  private let asJSON: Bool
  private let ledger: BatchLedger
  private let started = MonotonicClock.now
  /// Whether a progress line is on the terminal.
  private var hasLine = false
  /// The first messages, which are printed once, because most concern every session.
  private var notices: Set<String> = []
  /// The maximum number of these messages. Later messages are about single inputs, and could be as many.
  private static let maximumNotices = 1000
  private let progress: Progress

  /// The form of progress reports.
  private enum Progress {
    /// One line that is replaced.
    case line
    /// A line in each minute.
    case lines
    /// No reports, because each event is printed.
    case none
  }

  /// Creates the output of a run.
  init(_ console: Console, asJSON: Bool, _ ledger: BatchLedger) {
    (self.console, self.asJSON, self.ledger) = (console, asJSON, ledger)
    progress = asJSON ? .none : CurrentProcess.isTerminal(console.error) ? .line : .lines
  }

  /// The interval of progress reports, in nanoseconds.
  var interval: UInt64 { progress == .line ? 500_000_000 : 60_000_000_000 }

  /// Shows an event.
  mutating func show(_ event: BatchEvent, _ counts: BatchCounts) {
    switch event {
    case .started(let input, let session):
      if asJSON {
        console.printLine([
          "event": "started", "input": .string(input.path), "session": .string("\(session)"),
        ])
      }
    case .finished(let input, let report):
      if asJSON { console.printLine(Self.json(input, report)) }
      if report.record.outcome.batchVerdict == .failed { explain(input, report) }
    case .notice(let text):
      guard !notices.contains(text) else { break }
      if notices.count < Self.maximumNotices { notices.insert(text) }
      note(text)
    case .progress:
      if progress == .lines { note(line(counts)) }
    }
    if progress == .line { replaceLine(line(counts)) }
  }

  /// Prints the failures of earlier runs, the fixes and the summary.
  mutating func conclude(_ ending: BatchEnding, _ plan: BatchPlan) {
    clearProgress()
    for input in plan.unusable {
      note("\(input.path): the name is not UTF-8, so that no session can see the file; rename the file")
    }
    for attempt in plan.failed.prefix(Self.maximumEarlierFailures) { note(Self.sentence(attempt)) }
    let more = plan.failed.count - Self.maximumEarlierFailures
    if more > 0 { note("\(counted(more, "more input")) failed in an earlier run: see \(ledger.path)") }
    let failed = ending.counts.failed - plan.unusable.count
    if failed > 0 {
      note("\(counted(failed, "input")) failed; to run failed inputs again, add --retry-failed")
    }
    if ending.counts.left > 0 {
      note("\(counted(ending.counts.left, "input")) left; to continue, run the same command again")
    }
    let seconds = Double(MonotonicClock.now - started) / 1e9
    if asJSON {
      console.printLine(summary(ending, seconds))
    } else {
      console.print(
        "batch \(ledger.definition.name): \(Self.text(ending.counts)) (\(Self.tenths(seconds)) s"
          + "\(Self.rate(ending.counts, seconds)))"
      )
    }
  }

  /// Removes the progress line from the terminal.
  mutating func clearProgress() {
    guard hasLine else { return }
    hasLine = false
    try? Descriptor.write(Array(Self.clearLine.utf8), toNumber: console.error)
  }
}

// MARK: - Text

extension BatchOutput {
  private mutating func note(_ text: String) {
    clearProgress()
    console.note("darkroom: \(text)")
  }

  private mutating func replaceLine(_ text: String) {
    hasLine = true
    try? Descriptor.write(Array((Self.clearLine + text).utf8), toNumber: console.error)
  }

  /// Explains the failure of an input.
  private mutating func explain(_ input: BatchInput, _ report: SessionReport) {
    let record = report.record
    let last = BatchRunner.lastLine(report.outputTail)
    note(
      "\(input.path): \(record.outcome)\(last.isEmpty ? "" : " (last output: \(last))"); "
        + "'darkroom inspect \(record.sessionID)' prints the record"
    )
    for line in RefusalOutput.lines(record, explained: report.explainedRefusals) { note(line) }
    for hint in report.hints { note("guessed from its output: \(hint.sentence)") }
  }

  /// Returns the text about a failure of an earlier run.
  private static func sentence(_ attempt: BatchHistory.Attempt) -> String {
    let result = attempt.result
    let last = result?.lastLine ?? ""
    return "\(attempt.input.path): \(result.map { "\($0.outcome)" } ?? "no result")"
      + "\(last.isEmpty ? "" : " (last output: \(last))") in the earlier session \(attempt.session)"
  }

  /// Returns the progress as one line.
  private func line(_ counts: BatchCounts) -> String {
    let seconds = Double(MonotonicClock.now - started) / 1e9
    var text = "\(counts.done + counts.failed)/\(counts.total), \(counts.running) running"
    if counts.failed > 0 { text += ", \(counts.failed) failed" }
    text += Self.rate(counts, seconds)
    if counts.finished > 0, counts.left > 0 {
      text += ", \(Self.duration(seconds / Double(counts.finished) * Double(counts.left))) left"
    }
    return text
  }

  private static func text(_ counts: BatchCounts) -> String {
    "\(counted(counts.total, "input")), \(counts.done) done, \(counts.failed) failed, \(counts.left) left"
  }

  /// Returns the rate of sessions with a leading comma, or an empty string if no session has ended.
  private static func rate(_ counts: BatchCounts, _ seconds: Double) -> String {
    guard counts.finished > 0, seconds > 0 else { return "" }
    return ", \(tenths(Double(counts.finished) / seconds)) inputs a second"
  }

  /// Returns a number with one decimal place.
  private static func tenths(_ number: Double) -> String {
    let tenths = Int64((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns a duration in its two largest units.
  private static func duration(_ seconds: Double) -> String {
    let seconds = Int64(min(seconds, 1e9).rounded(.up))
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
    default: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }
}

// MARK: - JSON

extension BatchOutput {
  private static func json(_ input: BatchInput, _ report: SessionReport) -> JSONValue {
    let outcome = report.record.outcome
    return .object([
      "event": "finished", "input": .string(input.path), "session": .string("\(report.record.sessionID)"),
      "verdict": .string(outcome.batchVerdict.rawValue), "outcome": outcome.json,
      "content": report.contentPath.map(JSONValue.string), "record": .string(report.recordPath),
    ])
  }

  private func summary(_ ending: BatchEnding, _ seconds: Double) -> JSONValue {
    let counts = ending.counts
    return [
      "event": "summary", "batch": .string(ledger.definition.name), "ledger": .string(ledger.path),
      "inputs": .integer(Int64(counts.total)), "done": .integer(Int64(counts.done)),
      "failed": .integer(Int64(counts.failed)), "left": .integer(Int64(counts.left)),
      "seconds": .number(seconds),
    ]
  }
}
