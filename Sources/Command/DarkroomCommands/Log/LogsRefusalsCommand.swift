// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// `darkroom logs refusals`: lists the refused calls of one session.
package enum LogsRefusalsCommand: Command {
  private static let session = ArgumentSpec(
    "SESSION",
    help: "The ID of a session from 'darkroom logs list'"
  )

  package static let spec = CommandSpec(
    "refusals",
    summary: "List the refused system calls of a session",
    discussion: """
      Each kind of refused call is printed as a sentence with the program, the call, the reason and the fix. Calls \
      by which libraries test for a feature, and whose failure they expect, are marked as probes.

      The refusals are read from the session record. If the app has removed the record, the session log contains \
      up to sixteen refusals.
      """,
    arguments: [session],
    exitCodes: [
      ExitCode.success("The log contains the session"),
      ExitCode.usage.when("The command line is invalid, or SESSION is not an ID"),
      ExitCode.missing.when("The log does not contain the session"), ExitCode.unreadableStore,
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
