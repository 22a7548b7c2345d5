// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SandboxAudit
internal import SessionStore

/// Delivered content, formatted as a table or as JSON.
enum ContentOutput {
  /// Returns a table of sessions.
  static func table(_ sessions: [DeliveredSession]) -> TextTable {
    var table = TextTable([
      .init("SESSION"), .init("STARTED (UTC)"), .init("FILES", .right), .init("BYTES", .right),
      .init("OUTCOME"),
      .init("PATH"),
    ])
    for session in sessions {
      table.add([
        session.id.description,
        session.summary.map { TimestampText.short($0.startedAt) } ?? "unknown",
        "\(session.files)",
        "\(session.bytes)",
        session.summary.map { shortText($0.outcome) } ?? "unknown",
        session.path,
      ])
    }
    return table
  }

  /// Returns a session as JSON. Members that come from the session record are omitted if the record was
  /// removed.
  static func json(_ session: DeliveredSession) -> JSONValue {
    .object([
      "session": .string(session.id.description),
      "extension": session.summary.map { .string($0.extensionID) },
      "startedAt": session.summary.map { TimestampText.json($0.startedAt) },
      "endedAt": session.summary.map { TimestampText.json($0.endedAt) },
      "outcome": session.summary?.outcome.json,
      "files": .integer(session.files),
      "bytes": .integer(session.bytes),
      "renamed": session.summary.map { .integer($0.content.renamed) },
      "path": .string(session.path),
    ])
  }

  /// Returns a sentence about renamed files, with the command that shows the names in `sessions`, or `nil` if
  /// none were renamed.
  static func renames(_ count: Int64, of app: String, _ sessions: String) -> String? {
    guard count > 0 else { return nil }
    let names = count == 1 ? "1 name was" : "\(count) names were"
    return
      "\(names) changed so that other programs can open the content; 'darkroom content show \(app) \(sessions)' "
      + "lists the old and new names"
  }

  /// Returns the number of files and bytes as text.
  static func sizeText(_ session: DeliveredSession) -> String {
    "\(session.files) file\(session.files == 1 ? "" : "s"), \(session.bytes) byte\(session.bytes == 1 ? "" : "s")"
  }

  /// Returns a short form of an outcome for a table column. The record contains the complete sentence.
  static func shortText(_ outcome: SessionOutcome) -> String {
    switch outcome {
    case .completed(let exitCode): "completed \(exitCode)"
    case .signaled(let signal): "signal \(signal.rawValue)"
    case .violated(let violation): "violated \(violation.rule.rawValue)"
    case .timedOut(let deadline): "timed out \(deadline.rawValue)"
    case .watchdog(let watchdog):
      "watchdog " + watchdog.missing.map(\.rawValue).sorted().joined(separator: " ")
    case .protocolViolation: "protocol violation"
    case .dismissed(let dismissal): "dismissed \(dismissal.by.rawValue)"
    case .hostFailure(let fault): "host failure \(fault.step)"
    }
  }
}
