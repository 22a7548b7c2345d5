// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom context clear`: removes the app context.
package enum ContextClearCommand: Command {
  package static let spec = CommandSpec(
    "clear",
    summary: "Remove the context of an app",
    discussion: """
      A damaged context is removed, too.
      """,
    arguments: [CommonOptions.appArgument],
    exitCodes: [ExitCode.unknownApp, ExitCode.unusableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    try CommandFailure.mappingStoreErrors { () throws(StoreError) in try AppContextStore(app).clear() }
    if parsed.has(CommonOptions.json) {
      console.print(["app": .string(app.id), "cleared": true])
    } else {
      console.print("cleared the context of \(app.id)")
    }
    return 0
  }
}
