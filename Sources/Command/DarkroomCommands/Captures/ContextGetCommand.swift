// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom context get`: prints the app context.
package enum ContextGetCommand: Command {
  package static let spec = CommandSpec(
    "get",
    summary: "Print the context of an app, as its extensions see it",
    discussion: "Where none was set, that is null.",
    arguments: [CommonOptions.appArgument]
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
