// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// `darkroom inspect`: prints one entry of the log.
package enum InspectCommand: Command {
  private static let key = ArgumentSpec(
    "SESSION|SEQUENCE",
    help: "The ID of a session, or the number of an entry, from 'darkroom logs list'"
  )

  package static let spec = CommandSpec(
    "inspect",
    summary: "Print the log entry of a session",
    discussion: """
      The entry contains the session record without file names and without long values, and the digest of the \
      complete record. 'darkroom logs verify' compares the digest with the record of the app.
      """,
    arguments: [key],
    examples: [ExampleSpec("darkroom inspect 1", "Print the first entry of the log")],
    exitCodes: [
      ExitCode.success("The log contains the entry"),
      ExitCode.usage.when("The command line is invalid, or the argument is neither an ID nor a number"),
      ExitCode.missing.when("The log does not contain the entry"), ExitCode.unreadableStore,
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
