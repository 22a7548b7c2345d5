// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// `darkroom content show`: shows the changes that were made to content during migration.
package enum ContentShowCommand: Command {
  package static let spec = CommandSpec(
    "show",
    summary: "Show the file names that migration changed",
    discussion: """
      Migration changes a name that some programs cannot open, take for an option or act on, unless the policy has \
      "content": "asWritten". Timestamps, permissions and attributes are changed, too.

      Bytes of a former name that a terminal cannot show are printed as \\xNN.
      """,
    options: [SessionSelection.all],
    arguments: [CommonOptions.appArgument, SessionSelection.sessions],
    exitCodes: [
      ExitCode.missing.when("The app does not exist, or has no content of a session"),
      ExitCode.unreadableStore,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let sessions = try SessionSelection.sessions(parsed, of: app)
    if parsed.has(CommonOptions.json) {
      console.print(["app": .string(app.id), "sessions": .array(sessions.map(json))])
      return 0
    }
    if sessions.isEmpty { console.note("no content is pending for \(app.id)") }
    for session in sessions {
      for line in lines(session) { console.print(TextTable.printable(line)) }
    }
    return 0
  }

  /// Returns a line for each change.
  private static func lines(_ session: DeliveredSession) -> [String] {
    guard let record = session.record else { return ["\(session.id): the session record was removed"] }
    guard !record.sanitized.isEmpty else { return ["\(session.id): no names or attributes were changed"] }
    return record.sanitized.map { change in
      let place = "\(session.id)/\(change.path)"
      return change.from.map { "\(place): renamed from '\($0)'" } ?? "\(place): \(change.change.explanation)"
    }
  }

  private static func json(_ session: DeliveredSession) -> JSONValue {
    let changes = session.record?.sanitized.map { change in
      JSONValue.object([
        "path": .string(change.path), "change": .string(change.change.rawValue),
        "from": change.from.map(JSONValue.string),
      ])
    }
    return .object(["session": .string(session.id.description), "changes": changes.map(JSONValue.array)])
  }
}
