// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import SessionStore

/// `darkroom list`: lists the installed apps and extensions.
package enum ListCommand: Command {
  package static let spec = CommandSpec(
    "list",
    summary: "List the installed apps and their extensions",
    discussion: """
      A damaged app is reported on standard error with the fix, and does not hide the other apps.
      """,
    exitCodes: [
      ExitCode.success("Every installed app is intact"),
      ExitCode.store.when("An app is damaged, or the state root cannot be read"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let listing = try CommandFailure.mappingCatalogErrors { () throws(CatalogError) in
      try root.catalog.list()
    }
    if parsed.has(CommonOptions.json) {
      console.print([
        "apps": .array(listing.apps.map(AppOutput.json)),
        "damaged": .array(listing.failures.map { .string($0.description) }),
      ])
    } else if !listing.apps.isEmpty {
      console.print(AppOutput.table(listing.apps))
    } else if listing.failures.isEmpty {
      console.note("no app is installed in \(root.path); install an app with 'darkroom install PATH'")
    }
    for failure in listing.failures { console.note("darkroom: \(failure)") }
    return listing.failures.isEmpty ? 0 : ExitCode.store.rawValue
  }
}
