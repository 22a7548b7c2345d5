// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// The result of a recovery, formatted as text or as JSON.
enum RecoveryOutput {
  /// Returns the finding about a session as text.
  static func line(_ finding: Recovery.Finding) -> String {
    switch finding {
    case .live: "running: skipped"
    case .finished(let result): finished(result)
    case .neverStarted: "never started: removed"
    case .erased: "migrated before: remaining files erased"
    case .damaged(let error): "damaged and left unchanged: \(error)"
    case .failed(let error): "not finished: \(error)"
    }
  }

  private static func finished(_ result: MigrationResult) -> String {
    let (record, content) = (result.record, result.record.content)
    let kept = record.quarantined.count
    let command = QuarantineOutput.command(record)
    let quarantine = kept == 0 ? "" : "; quarantined: \(kept) ('\(command)' shows the reasons)"
    guard let path = result.contentPath else {
      return "finished: no content for \(record.app)\(quarantine)"
    }
    let renames = ContentOutput.renames(content.renamed, of: record.app, "\(record.sessionID)")
    return
      "finished: \(content.files) file\(content.files == 1 ? "" : "s"), \(content.bytes) bytes migrated to "
      + "\(record.app) in \(TextTable.printable(path))"
      + (renames.map { "; \($0)" } ?? "") + quarantine
  }

  /// Returns the summary of a recovery as JSON.
  static func json(_ summary: Recovery.Summary) -> JSONValue {
    .object([
      "sessions": .array(summary.sessions.map(json)),
      "discarded": .integer(Int64(summary.discarded)),
      "fault": summary.fault.map { .string($0.description) },
      "clean": .bool(summary.isClean),
    ])
  }

  private static func json(_ report: Recovery.Report) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("session", .string(report.session.description)),
      .init("finding", .string(identifier(report.finding))),
    ]
    switch report.finding {
    case .finished(let result):
      members.append(.init("app", .string(result.record.app)))
      members.append(.init("path", result.contentPath.map(JSONValue.string) ?? .null))
      members.append(.init("record", result.record.json))
    case .damaged(let error), .failed(let error):
      members.append(.init("reason", .string(error.description)))
    case .live, .neverStarted, .erased: break
    }
    return .object(members)
  }

  private static func identifier(_ finding: Recovery.Finding) -> String {
    switch finding {
    case .live: "live"
    case .finished: "finished"
    case .neverStarted: "neverStarted"
    case .erased: "erased"
    case .damaged: "damaged"
    case .failed: "failed"
    }
  }
}
