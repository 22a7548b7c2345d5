// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import PhotoLibrary
internal import PolicyExplanation
internal import SandboxAudit

/// `darkroom photos list`: lists the assets of the library.
package enum PhotosListCommand: Command {
  private static let app = OptionSpec.value("app", "APP", help: "List only assets that APP has added")
  private static let session = OptionSpec.value(
    "session",
    "SESSION",
    help: "List only assets that this session has added"
  )

  package static let spec = CommandSpec(
    "list",
    summary: "List the photo library, newest first",
    options: [app, session],
    examples: [ExampleSpec("darkroom photos list --json", "List the assets as JSON")],
    exitCodes: [ExitCode.unusableLibrary]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let library = try PhotoLibraryOptions.existing(parsed, console)
    let assets =
      try library.map { (library) throws(CommandFailure) in
        try PhotoLibraryOptions.mappingLibraryErrors { () throws(PhotoLibraryError) in try library.all() }
      } ?? []
    let chosen = assets.filter { asset in
      parsed.value(of: app).map { $0 == asset.app } ?? true
        && parsed.value(of: session).map { $0 == asset.session } ?? true
    }
    if parsed.has(CommonOptions.json) {
      console.print([
        "assets": .array(library.map { lib in chosen.map { PhotoLibraryOptions.json($0, lib) } } ?? [])
      ])
    } else if chosen.isEmpty {
      let place = try PhotoLibraryOptions.location(parsed, console)
      console.note(assets.isEmpty ? empty(place) : noMatch(parsed))
    } else if let library {
      console.print(table(chosen, library))
    }
    return 0
  }

  /// Returns the message for an empty library.
  private static func empty(_ place: LibraryLocation) -> String {
    "the photo library in \(TextTable.printable(place.path)) is empty; add files with "
      + "'darkroom photos import APP FILE'"
  }

  /// Returns the message for a filter that no asset matches.
  private static func noMatch(_ parsed: ParsedCommand) -> String {
    let wanted = [
      parsed.value(of: app).map { "by \($0)" }, parsed.value(of: session).map { "in the session \($0)" },
    ]
    let words = wanted.compactMap { $0 }.joined(separator: " ")
    return "no asset in the photo library was added \(TextTable.printable(words)); "
      + "'darkroom photos list' lists all assets with their apps"
  }

  private static func table(_ assets: [Asset], _ library: PhotoLibrary) -> TextTable {
    var table = TextTable([
      .init("ASSET"), .init("CREATED (UTC)"), .init("KIND"), .init("BYTES", .right), .init("APP"),
      .init("PATH"),
    ])
    for asset in assets {
      table.add([
        asset.id, TimestampText.short(asset.createdAt), asset.mediaType.rawValue, "\(asset.bytes)", asset.app,
        library.filePath(asset),
      ])
    }
    return table
  }
}
