// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import JSONText
internal import LinuxPrimitives
internal import SessionStore

extension SandboxReport {
  /// Creates a report from the entry of a session record.
  init(_ enforcement: SessionRecord.Enforcement) {
    isFull = enforcement.status == .full
    layers = enforcement.layers.map { Layer(name: $0.name, state: $0.state.rawValue, detail: $0.detail) }
  }
}

extension RefusalReport {
  /// Creates a report from the entry of a session record.
  init(_ refusal: SessionRecord.Refusal) {
    layer = refusal.layer
    call = refusal.call.name
    arguments = refusal.call.arguments.map(\.text)
    program = refusal.call.program
    count = Int(refusal.call.count)
    errno = refusal.errno
    reason = refusal.explanation.reason
    sentence = refusal.explanation.sentence
    isProbe = refusal.probe != nil
  }
}

extension QuarantinedEntry {
  /// Creates an entry from that of a session record.
  init(_ entry: SessionRecord.Quarantined) {
    (path, reason, explanation) = (entry.path, entry.reason.rawValue, entry.reason.explanation)
  }
}

extension SessionResult {
  /// Creates a result from the report of a session.
  package init(_ report: SessionReport) {
    let record = report.record
    session = record.sessionID.description
    (appID, extensionID) = (record.app, record.extensionID)
    outcome = Outcome(record.outcome)
    summary = "\(record.outcome)"
    exitCode = record.outcome.suggestedExitCode
    sandbox = record.enforcement.map(SandboxReport.init)
    contentPath = report.contentPath
    files = record.files.map { File(path: $0.path, size: $0.size, sha256: $0.sha256) }
    quarantined = record.quarantined.map(QuarantinedEntry.init)
    refusals = record.refusals.map(RefusalReport.init)
    frames = record.frames.map {
      FrameCounts(produced: $0.produced, consumed: $0.consumed, dropped: $0.dropped)
    }
    recordPath = report.recordPath
    recordJSON = String(decoding: record.json.bytes(.indented), as: UTF8.self)
    outputTail = report.outputTail
    var notices =
      report.openingFailure.map {
        ["the app was not opened and gets the delivery at its next start: \($0)"]
      } ?? []
    if let fault = report.logFault {
      notices.append(
        "the content was migrated, but the session is not in the session log yet: \(fault); 'darkroom recover' tries again"
      )
    }
    self.notices = notices + record.violations
  }
}

extension SessionResult.Outcome {
  /// Creates an outcome from that of a session record.
  init(_ outcome: SessionOutcome) {
    switch outcome {
    case .completed(let exitCode): self = .completed(exitCode: exitCode)
    case .signaled(let signal): self = .signaled(signal.rawValue)
    case .violated(let violation): self = .violated(rule: violation.rule.rawValue)
    case .timedOut(let deadline): self = .timedOut(deadline: deadline.rawValue)
    case .watchdog(let watchdog):
      self = .watchdog(missing: watchdog.missing.map(\.rawValue).sorted())
    case .protocolViolation: self = .protocolViolation
    case .dismissed(let dismissal): self = .dismissed(by: .init(dismissal.by))
    case .hostFailure(let fault): self = .hostFailure(step: fault.step, errno: fault.errno)
    }
  }
}

extension SessionResult.Dismisser {
  /// Creates an initiator from that of a session record.
  fileprivate init(_ dismisser: SessionOutcome.Dismisser) {
    switch dismisser {
    case .user: self = .user
    case .extension: self = .extension
    case .applicationOpened: self = .applicationOpened
    case .lockChanged: self = .lockChanged
    case .idle: self = .idle
    case .powerKey: self = .powerKey
    case .hostStopped: self = .hostStopped
    case .hostDied: self = .hostDied
    }
  }
}
