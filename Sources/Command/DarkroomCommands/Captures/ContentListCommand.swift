// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom content list`: lists the content that is pending for an app.
package enum ContentListCommand: Command {
  package static let spec = CommandSpec(
    "list",
    summary: "List the sessions with pending content",
    arguments: [CommonOptions.appArgument],
    exitCodes: [ExitCode.unknownApp, ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let sessions = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try DeliveredContent(app).list()
    }
    if parsed.has(CommonOptions.json) {
      console.print(["app": .string(app.id), "sessions": .array(sessions.map(ContentOutput.json))])
    } else if sessions.isEmpty {
      console.note("no content is pending for \(app.id)")
    } else {
      console.print(ContentOutput.table(sessions))
      let renamed = sessions.reduce(0) { $0 + ($1.summary?.content.renamed ?? 0) }
      if let line = ContentOutput.renames(renamed, of: app.id, "--all") { console.note("darkroom: \(line)") }
    }
    return 0
  }
}
