// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import PhotoLibrary
internal import PolicyWords
internal import SandboxAudit

/// `darkroom photos`: a person's photo library.
package enum PhotosCommand: CommandGroup {
  package static let commands: CommandList = [
    "list": PhotosListCommand.self,
    "show": PhotosShowCommand.self,
    "export": PhotosExportCommand.self,
    "import": PhotosImportCommand.self,
    "delete": PhotosDeleteCommand.self,
    "select": PhotosSelectCommand.self,
    "verify": PhotosVerifyCommand.self,
    "recover": PhotosRecoverCommand.self,
  ]

  package static let spec = CommandSpec(
    "photos",
    summary: "See and change the photo library that apps add to",
    discussion: """
      The pictures are files below Darkroom in the directory of pictures, by year and month; the index lies beside \
      them. These commands are the person's: neither the lock nor an app's permission limits them.
      """,
    options: [PhotoPlace.library],
    subcommands: Subcommands(commands)
  )
}

/// Where the library of a command is, and what its assets look like.
enum PhotoPlace {
  /// The library's directory.
  static let library = OptionSpec.value(
    "library",
    "DIR",
    .directory,
    help: "The photo library; also DARKROOM_LIBRARY; else Darkroom in the directory of pictures"
  )
  /// The assets that a command is about.
  static let assets = ArgumentSpec(
    "ASSET",
    .many(atLeast: 1),
    help: "The ids of assets, as 'darkroom photos list' names them"
  )

  /// The place of the library, which need not be there.
  static func place(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> LibraryPlace {
    try photos { () throws(PhotoLibraryError) in
      try LibraryPlace.resolve(option: parsed.value(of: library), environment: console.environment)
    }
  }

  /// The library, which is made if it is not there.
  static func open(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> PhotoLibrary {
    let place = try place(parsed, console)
    return try photos { () throws(PhotoLibraryError) in try PhotoLibrary(place) }
  }

  /// The library, if there is one; looking makes none.
  static func existing(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> PhotoLibrary? {
    let place = try place(parsed, console)
    guard place.isThere else { return nil }
    return try photos { () throws(PhotoLibraryError) in try PhotoLibrary(place) }
  }

  /// The assets that a command names. One that is not there is a mistake before anything is done with the others.
  static func named(_ parsed: ParsedCommand, _ library: PhotoLibrary?) throws(CommandFailure) -> [Asset] {
    var found: [Asset] = []
    for word in parsed.words(of: assets) {
      guard let library else { throw CommandFailure(PhotoLibraryError.noSuchAsset(word)) }
      let asset = try photos { () throws(PhotoLibraryError) in try library.asset(word, for: .person) }
      // Twice the same word is once the same wish.
      if !found.contains(asset) { found.append(asset) }
    }
    return found
  }

  /// An asset as data.
  static func json(_ asset: Asset, _ library: PhotoLibrary) -> JSONValue {
    .object([
      "id": .string(asset.id),
      "title": .string(asset.title),
      "mediaType": .string(asset.mediaType.rawValue),
      "bytes": .integer(asset.bytes),
      "createdAt": MomentText.json(asset.createdAt),
      "app": .string(asset.app),
      "session": asset.session.map(JSONValue.string) ?? .null,
      "path": .string(library.filePath(asset)),
    ])
  }

  /// Does something with the library whose failure ends the command.
  static func photos<Result>(
    _ body: () throws(PhotoLibraryError) -> Result
  ) throws(CommandFailure) -> Result {
    do { return try body() } catch { throw CommandFailure(error) }
  }
}

extension CommandFailure {
  /// What a failure of the library means for a script.
  init(_ error: PhotoLibraryError) {
    let code: ExitCode =
      switch error {
      case .noSuchAsset, .fileMissing: .missing
      case .unfit: .data
      case .noPlace, .notPrivate, .newerIndex, .notWriteAhead, .noSpace, .database, .system, .stopped,
        .notOwn:
        .store
      }
    self.init(code, TextTable.printable("\(error)"))
  }
}
