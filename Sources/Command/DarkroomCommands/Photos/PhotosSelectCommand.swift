// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PhotoLibrary
internal import SessionStore

/// `darkroom photos select`: selects the assets that an app with a limited permission can see.
package enum PhotosSelectCommand: Command {
  private static let remove = OptionSpec.flag("remove", help: "Remove the assets from the selection")
  private static let replace = OptionSpec.flag("only", help: "Replace the selection with these assets")
  private static let assets = ArgumentSpec(
    "ASSET",
    .many(atLeast: 0),
    help: "The asset IDs from 'darkroom photos list'; optional with --only"
  )

  package static let spec = CommandSpec(
    "select",
    summary: "Select the assets for an app with limited access",
    discussion: """
      If its permission for photos is limited, the app sees only selected assets. Assets that the app adds are \
      selected automatically. A running session sees a change at its next call.
      """,
    options: [remove, replace],
    arguments: [CommonOptions.appArgument, assets],
    exitCodes: [ExitCode.missing.when("An asset does not exist"), ExitCode.unusableLibrary]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.resolvedRoot(parsed, console)
    let app = try CommonOptions.app(parsed.value(of: CommonOptions.appArgument) ?? "", root)
    let ids = parsed.values(of: assets)
    let change: PhotoLibrary.SelectionChange
    switch (parsed.has(remove), parsed.has(replace)) {
    case (true, true):
      throw CommandFailure(.usage, "--remove and --only cannot be combined")
    case (true, false): change = .remove
    case (false, true): change = .replace
    case (false, false): change = .add
    }
    guard !ids.isEmpty || change == .replace else {
      throw CommandFailure(.usage, "no assets were given; see 'darkroom photos select --help'")
    }
    let library = try PhotoLibraryOptions.open(parsed, console)
    let selected = try PhotoLibraryOptions.mappingLibraryErrors { () throws(PhotoLibraryError) in
      try library.select(ids, for: app.id, change)
      return try library.selected(for: app.id)
    }
    if parsed.has(CommonOptions.json) {
      console.print(["app": .string(app.id), "selected": .array(selected.map(JSONValue.string))])
    } else {
      console.print(
        "\(app.id) may see \(selected.count) selected asset\(selected.count == 1 ? "" : "s") if its permission is limited"
      )
    }
    return 0
  }
}
