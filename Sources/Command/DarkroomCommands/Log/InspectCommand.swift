// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// `darkroom inspect`: prints one entry of the log.
package enum InspectCommand: Command {
  private static let key = ArgumentSpec(
    "SESSION|SEQUENCE",
    help: "The id of a session, or the number of an entry, as 'darkroom logs list' names them"
  )

  package static let spec = CommandSpec(
    "inspect",
    summary: "Print what the log says of one session",
    discussion: """
      The log has the record of the session without the names of files and without what is long. The digest of the \
      whole record stands beside it; 'darkroom logs verify' compares it with the record that the app has.
      """,
    arguments: [key],
    exitCodes: [
      ExitCodeSpec("0", "There is such an entry"),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is none"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let word = parsed.value(of: key) ?? ""
    let key: SessionLog.Key
    if let id = SessionID(word) {
      key = .session(id)
    } else if let sequence = Int64(word), sequence > 0 {
      key = .sequence(sequence)
    } else {
      throw CommandFailure(
        .usage,
        "'\(TextTable.printable(word))' is neither a session ID nor an entry number; 'darkroom logs list' lists both"
      )
    }
    let entry = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try SessionLog(root).entry(key)
    }
    guard let entry else {
      throw CommandFailure(
        .missing,
        "the session log has no entry \(TextTable.printable(word)); 'darkroom logs list' lists the entries"
      )
    }
    if parsed.has(CommonOptions.json) {
      console.print(entry.json)
    } else {
      for line in LogOutput.lines(entry) { console.print(line) }
    }
    return 0
  }
}
