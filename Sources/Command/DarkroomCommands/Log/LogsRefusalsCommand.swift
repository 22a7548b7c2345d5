// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// `darkroom logs refusals`: lists the refused calls of one session.
package enum LogsRefusalsCommand: Command {
  private static let session = ArgumentSpec(
    "SESSION",
    help: "The id of a session, as 'darkroom logs list' prints it"
  )

  package static let spec = CommandSpec(
    "refusals",
    summary: "List the refused calls of one session",
    discussion: """
      Each kind of refused call is one sentence: the program, the call, the reason, and what to do. Calls by which \
      libraries find out what they may use, and whose failure they expect, are marked as probes. All of them come from the \
      record of the session. If its app has removed the record, the session log still has up to sixteen of them.
      """,
    arguments: [session],
    exitCodes: [
      ExitCodeSpec("0", "The session is in the log"),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "It is not"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let word = parsed.value(of: session) ?? ""
    guard let id = SessionID(word) else {
      throw CommandFailure(
        .usage,
        "'\(TextTable.printable(word))' is not a session ID; 'darkroom logs list' lists the session IDs"
      )
    }
    let entry = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try SessionLog(root).entry(.session(id))
    }
    guard let session = entry?.note.session else {
      throw CommandFailure(
        .missing,
        "the session log has no session \(id); 'darkroom logs list' lists the sessions"
      )
    }
    let record = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try root.app(session.app).readRecord(of: id)
    }
    if parsed.has(CommonOptions.json) {
      console.print(json(session, record))
    } else {
      for line in lines(session, record) { console.print(line) }
    }
    return 0
  }

  private static func lines(_ session: LogNote.Session, _ record: SessionRecord?) -> [String] {
    if let record { return RefusalOutput.all(record) }
    let kept = session.excerpt?["refusals"]?.elements ?? []
    return kept.map { refusal in
      let count = refusal["count"]?.integer ?? 1
      return TextTable.printable(refusal["sentence"]?.string ?? "") + RefusalOutput.times(count)
    }
  }

  private static func json(_ session: LogNote.Session, _ record: SessionRecord?) -> JSONValue {
    let kept = session.excerpt?["refusals"] ?? []
    return [
      "session": .string("\(session.id)"),
      "refused": .integer(session.refused),
      "refusals": record.map { .array($0.refusals.map(\.json)) } ?? kept,
    ]
  }
}
