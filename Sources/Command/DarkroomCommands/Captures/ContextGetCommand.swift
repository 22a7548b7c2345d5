// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom context get`: prints the app context.
package enum ContextGetCommand: Command {
  package static let spec = CommandSpec(
    "get",
    summary: "Print the context of an app",
    discussion: """
      The extensions of the app read the same JSON. Without a context, the command prints null.
      """,
    arguments: [CommonOptions.appArgument],
    exitCodes: [ExitCode.damagedContext, ExitCode.unknownApp, ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let context = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try AppContextStore(app).get()
    }
    console.print(context ?? JSONValue.null)
    return 0
  }
}
