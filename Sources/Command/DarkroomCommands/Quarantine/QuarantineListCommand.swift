// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// `darkroom quarantine list`: lists the sessions with quarantined files.
package enum QuarantineListCommand: Command {
  package static let spec = CommandSpec(
    "list",
    summary: "List the sessions with quarantined items",
    arguments: [CommonOptions.appArgument],
    exitCodes: [ExitCode.unknownApp, ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let sessions = try CommandFailure.mappingStoreErrors { () throws(StoreError) in try Quarantine(app).list()
    }
    if parsed.has(CommonOptions.json) {
      console.print(["app": .string(app.id), "sessions": .array(sessions.map(QuarantineSelection.json))])
    } else if sessions.isEmpty {
      console.note("no content of \(app.id) is quarantined")
    } else {
      var table = TextTable([
        .init("SESSION"), .init("ITEMS", .right), .init("FILES", .right), .init("BYTES", .right),
        .init("PATH"),
      ])
      for session in sessions {
        table.add([
          session.id.description, "\(session.items.count)", "\(session.files)", "\(session.bytes)",
          session.path,
        ])
      }
      console.print(table)
    }
    return 0
  }
}
