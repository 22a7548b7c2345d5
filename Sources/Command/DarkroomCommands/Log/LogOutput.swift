// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SandboxAudit
internal import SessionServices
internal import SessionStore

/// The session log, formatted as text or as JSON.
enum LogOutput {
  /// The identifiers of the outcomes.
  static let outcomes = [
    "completed", "dismissed", "violated", "signaled", "timedOut", "watchdog", "protocolViolation",
    "hostFailure",
  ]

  /// Returns a table of entries.
  static func table(_ entries: [LogEntry]) -> TextTable {
    var table = TextTable([
      .init("ENTRY", .right), .init("LOGGED (UTC)"), .init("KIND"), .init("OUTCOME"),
      .init("REFUSED", .right), .init("EXTENSION"), .init("SESSION"),
    ])
    for entry in entries {
      let session = entry.note.session
      table.add([
        "\(entry.sequence)", TimestampText.short(entry.note.time), entry.note.kind.rawValue,
        session?.outcome ?? "", session.map { "\($0.refused)" } ?? "", session?.extensionID ?? "",
        session?.id.description ?? "",
      ])
    }
    return table
  }

  /// Returns all members of an entry, one per line, followed by the session record as JSON.
  static func lines(_ entry: LogEntry) -> [String] {
    var lines: [String] = []
    for member in entry.json.members ?? [] where member.name != "record" {
      let value = member.value.string ?? member.value.text(.compact)
      let name = member.name + String(repeating: " ", count: max(1, 14 - member.name.count))
      lines.append(TextTable.printable(name + value))
    }
    guard let record = entry.note.session?.excerpt else { return lines }
    return lines
      + record.text(.indented).split(separator: "\n").map { TextTable.printable(String($0)) }
  }

  /// Returns a head as JSON.
  static func json(_ head: LogHead) -> JSONValue {
    [
      "head": .string("\(head)"), "sequence": .integer(head.sequence), "digest": .string("\(head.digest)"),
    ]
  }

  /// Returns the result of a verification as text.
  static func lines(_ result: LogVerification, _ root: StateRoot) -> [String] {
    var lines: [String] = []
    if let wrong = result.invalidEntry {
      lines.append(
        "entry \(wrong.line) of \(TextTable.printable(root.logFile)) is invalid: \(TextTable.printable("\(wrong.fault)"))"
      )
      let valid =
        result.entries == 1 ? "the entry before is valid" : "the \(result.entries) entries before are valid"
      lines.append(
        "the entries from \(wrong.line) on prove nothing; \(valid). Compare the file with a backup copy. "
          + "To start a new log, rename this log: "
          + "mv \(ShellWord.quoted(root.logFile)) \(ShellWord.quoted("\(root.logFile).wrong"))"
      )
    } else {
      lines.append("\(counted(result.entries, "entry", "entries")), all unchanged and in order")
    }
    if let comparison = result.headComparison { lines.append(line(comparison)) }
    for record in result.changedRecords {
      lines.append(
        "the record of entry \(record.sequence) was changed after it was logged: \(TextTable.printable(record.path)); "
          + "'darkroom inspect \(record.sequence)' prints the logged record"
      )
    }
    if !result.repairs.isEmpty {
      let numbers = result.repairs.map(String.init).joined(separator: ", ")
      lines.append(
        "lines that a crash truncated were moved to \(TextTable.printable(root.logQuarantineDirectory)): entries "
          + numbers
      )
    }
    if result.torn > 0 {
      lines.append(
        "the last \(result.torn) bytes are a line that a crash truncated; the next entry moves these bytes to "
          + TextTable.printable(root.logQuarantineDirectory)
      )
    }
    if let head = result.head, result.isValid { lines.append("head \(head)") }
    return lines
  }

  /// Returns the comparison of the log with a given head as text.
  private static func line(_ comparison: LogVerification.HeadComparison) -> String {
    switch comparison {
    case .found(let head):
      "the log contains the head of entry \(head.sequence): no entry up to this entry was changed"
    case .truncated(let head):
      "the log ends before entry \(head.sequence), whose head was given: entries were removed from the end of the log; "
        + "search a backup copy or the system journal: journalctl -t darkroom"
    case .replaced(let head, let digest):
      "entry \(head.sequence) does not match the given head: its digest is \(digest), not \(head.digest); the log was "
        + "rewritten up to this entry; search a backup copy for the original"
    }
  }

  /// Returns the result of a verification as JSON.
  static func json(_ result: LogVerification, _ root: StateRoot) -> JSONValue {
    .object([
      "valid": .bool(result.isValid),
      "log": .string(root.logFile),
      "entries": .integer(result.entries),
      "head": result.head.map { .string("\($0)") },
      "invalid": result.invalidEntry.map { ["entry": .integer($0.line), "reason": .string("\($0.fault)")] },
      "keptHead": result.headComparison.map(json),
      "changedRecords": .array(
        result.changedRecords.map { ["entry": .integer($0.sequence), "path": .string($0.path)] }
      ),
      "repaired": .array(result.repairs.map(JSONValue.integer)),
      "tornBytes": .integer(result.torn),
    ])
  }

  private static func json(_ kept: LogVerification.HeadComparison) -> JSONValue {
    switch kept {
    case .found(let head): ["head": .string("\(head)"), "state": "found"]
    case .truncated(let head): ["head": .string("\(head)"), "state": "truncated"]
    case .replaced(let head, let digest):
      ["head": .string("\(head)"), "state": "replaced", "digest": .string("\(digest)")]
    }
  }
}
