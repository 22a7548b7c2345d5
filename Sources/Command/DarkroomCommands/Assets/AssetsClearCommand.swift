// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom assets clear`: stops sharing files with the extensions of an app.
package enum AssetsClearCommand: Command {
  package static let spec = CommandSpec(
    "clear",
    summary: "Stop sharing files with the extensions of an app",
    discussion: """
      Running sessions keep the files.
      """,
    arguments: [CommonOptions.appArgument],
    exitCodes: [
      ExitCode.unknownApp, ExitCode.unusableStore,
      ExitCode.temporaryFailure.when("Another process is removing the shared files"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let cleared = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try SharedAssets(app).clear()
    }
    if parsed.has(CommonOptions.json) {
      console.print(["app": .string(app.id), "cleared": .bool(cleared)])
    } else {
      console.print(cleared ? "removed the assets of \(app.id)" : "\(app.id) has no published assets")
    }
    return 0
  }
}
