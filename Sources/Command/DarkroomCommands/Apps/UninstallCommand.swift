// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import SessionStore

/// `darkroom uninstall`: removes an app with all of its data.
package enum UninstallCommand: Command {
  private static let discard = OptionSpec.flag(
    "discard-content",
    help: "Delete content that the app has not imported, too"
  )

  package static let spec = CommandSpec(
    "uninstall",
    summary: "Remove an app with its extensions and data",
    discussion: """
      The command removes the extensions, context, shared files and session records of the app.

      Without --discard-content, an app with pending content stays installed. Let the app import the content, or \
      export and invalidate it with 'darkroom content'. An app whose extension is running always stays installed.
      """,
    options: [discard],
    arguments: [CommonOptions.appArgument],
    examples: [ExampleSpec("darkroom uninstall org.example.camera", "Remove an app")],
    exitCodes: [
      ExitCode.missing.when("The app is not installed"),
      ExitCode.store.when(
        "The app has pending content or a running extension, or the state root cannot be written"
      ),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.app(parsed.value(of: CommonOptions.appArgument) ?? "", root)
    let rule: PendingContentRule = parsed.has(discard) ? .discard : .refuse
    try CommandFailure.mappingCatalogErrors { () throws(CatalogError) in
      try root.catalog.uninstall(app.id, content: rule)
    }
    if parsed.has(CommonOptions.json) {
      console.print(["app": .string(app.id), "uninstalled": true])
    } else {
      console.print("uninstalled \(app.id)")
    }
    return 0
  }
}
