// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PhotoLibrary
internal import SessionStore

/// `darkroom photos select`: selects the assets that an app with a limited permission can see.
package enum PhotosSelectCommand: Command {
  private static let remove = OptionSpec.flag("remove", help: "Take the assets out of the selection")
  private static let replace = OptionSpec.flag("only", help: "Select these, and nothing else")
  private static let assets = ArgumentSpec(
    "ASSET",
    .many(atLeast: 0),
    help: "The ids of assets, as 'darkroom photos list' names them; with --only there need be none"
  )

  package static let spec = CommandSpec(
    "select",
    summary: "Choose what an app may see whose permission for photos is limited",
    discussion:
      "What an app adds itself is selected for it. A running session sees the change with its next call.",
    options: [remove, replace],
    arguments: [CommonOptions.appArgument, assets]
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
