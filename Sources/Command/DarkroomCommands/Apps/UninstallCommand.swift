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
    help: "Uninstall it even if it has content that nobody has taken, and lose that"
  )

  package static let spec = CommandSpec(
    "uninstall",
    summary: "Remove an app, its extensions, its context, what it shares and its records",
    discussion: """
      Without --discard-content, an app stays installed as long as content waits for it: let the app take it, or \
      export and invalidate it with 'darkroom content'. An app whose extension is running stays installed in any case.
      """,
    options: [discard],
    arguments: [CommonOptions.appArgument],
    examples: [ExampleSpec("darkroom uninstall org.example.camera", "Remove an app")]
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
