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
    summary: "List the sessions that are running now",
    discussion: """
      The number is that of the host's process: a signal to it ends the session in order. What is waiting is an \
      extension that was started ahead and has not been launched: it has no frames, and nothing of the app's; its number \
      is that of the server. What was removed and is not deleted yet is counted, too.
      """
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
