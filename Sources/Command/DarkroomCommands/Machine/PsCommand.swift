// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SandboxAudit
internal import SessionStore

/// `darkroom ps`: lists the running sessions.
package enum PsCommand: Command {
  package static let spec = CommandSpec(
    "ps",
    summary: "List the running sessions",
    discussion: """
      HOST is the process ID of the session's host. SIGTERM to the host dismisses the session and migrates its \
      content.

      A prewarmed extension is listed, too: it was started but not launched, and has no frames and no data of the \
      app. Its HOST is the process ID of the server.

      A note on standard error reports the number of removed items that are not deleted yet.
      """,
    exitCodes: [ExitCode.success("The list was printed, even if it is empty"), ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let sessions = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try LiveSessions.list(in: root)
    }
    // A state root without sessions has no trash directory.
    let trash = (try? Trash(root).pendingNames().count) ?? 0
    if !parsed.has(CommonOptions.json), trash > 0 {
      console.note("trash: \(trash), deleted in the background; 'darkroom prune' deletes the trash now")
    }
    if parsed.has(CommonOptions.json) {
      console.print(["sessions": .array(sessions.map(json)), "trash": .integer(Int64(trash))])
    } else if sessions.isEmpty {
      console.note("no session is running")
    } else {
      console.print(table(sessions))
    }
    return 0
  }

  private static func table(_ sessions: [LiveSession]) -> TextTable {
    var table = TextTable([
      .init("SESSION"), .init("HOST", .right), .init("STARTED (UTC)"), .init("STATE"), .init("APP"),
      .init("EXTENSION"),
    ])
    for session in sessions {
      table.add([
        session.id.description, "\(session.hostProcess)", TimestampText.short(session.startedAt),
        session.stage.rawValue, session.app, session.extensionID,
      ])
    }
    return table
  }

  private static func json(_ session: LiveSession) -> JSONValue {
    [
      "session": .string(session.id.description),
      "state": .string(session.stage.rawValue),
      "app": .string(session.app),
      "extension": .string(session.extensionID),
      "hostProcess": .integer(Int64(session.hostProcess)),
      "startedAt": TimestampText.json(session.startedAt),
    ]
  }
}
