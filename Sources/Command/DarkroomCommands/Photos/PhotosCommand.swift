// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import PhotoLibrary
internal import PolicyExplanation
internal import SandboxAudit

/// `darkroom photos`: manages the user's photo library.
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
    summary: "List and change the photo library",
    discussion: """
      The assets are files below Darkroom in the pictures directory, by year and month, with an index next to them. \
      These commands act for the user: neither the lock nor the permissions of an app limit them.
      """,
    options: [PhotoLibraryOptions.library],
    subcommands: Subcommands(commands)
  )
}

/// The options and output that the photo commands share.
enum PhotoLibraryOptions {
  /// The option for the library's directory.
  static let library = OptionSpec.value(
    "library",
    "DIR",
    .directory,
    help: "Use the photo library in DIR (default: $DARKROOM_LIBRARY, or Darkroom in the pictures directory)"
  )
  /// The argument that names assets.
  static let assets = ArgumentSpec(
    "ASSET",
    .many(atLeast: 1),
    help: "The asset IDs from 'darkroom photos list'"
  )

  /// Returns the location of the library, which need not exist.
  static func location(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> LibraryLocation
  {
    try mappingLibraryErrors { () throws(PhotoLibraryError) in
      try LibraryLocation.resolve(option: parsed.value(of: library), environment: console.environment)
    }
  }

  /// Opens the library. It is created if it does not exist.
  static func open(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> PhotoLibrary {
    let place = try location(parsed, console)
    return try mappingLibraryErrors { () throws(PhotoLibraryError) in try PhotoLibrary(place) }
  }

  /// Opens the library, or returns `nil` if it does not exist.
  static func existing(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> PhotoLibrary? {
    let place = try location(parsed, console)
    guard place.exists else { return nil }
    return try mappingLibraryErrors { () throws(PhotoLibraryError) in try PhotoLibrary(place) }
  }

  /// Returns the assets that the command line names.
  ///
  /// - Throws: A `CommandFailure` if an asset does not exist, before any asset is changed.
  static func named(_ parsed: ParsedCommand, _ library: PhotoLibrary?) throws(CommandFailure) -> [Asset] {
    var found: [Asset] = []
    for word in parsed.values(of: assets) {
      guard let library else { throw CommandFailure(PhotoLibraryError.noSuchAsset(word)) }
      let asset = try mappingLibraryErrors { () throws(PhotoLibraryError) in
        try library.asset(word, for: .user)
      }
      // A repeated asset ID selects the asset once.
      if !found.contains(asset) { found.append(asset) }
    }
    return found
  }

  /// Returns an asset as JSON.
  static func json(_ asset: Asset, _ library: PhotoLibrary) -> JSONValue {
    .object([
      "id": .string(asset.id),
      "title": .string(asset.title),
      "mediaType": .string(asset.mediaType.rawValue),
      "bytes": .integer(asset.bytes),
      "createdAt": TimestampText.json(asset.createdAt),
      "app": .string(asset.app),
      "session": asset.session.map(JSONValue.string) ?? .null,
      "path": .string(library.filePath(asset)),
    ])
  }

  /// Runs an operation of the library, and converts its errors to command failures.
  static func mappingLibraryErrors<Result>(
    _ body: () throws(PhotoLibraryError) -> Result
  ) throws(CommandFailure) -> Result {
    do { return try body() } catch { throw CommandFailure(error) }
  }
}

extension CommandFailure {
  /// Creates the failure for an error of the library.
  init(_ error: PhotoLibraryError) {
    let code: ExitCode =
      switch error {
      case .noSuchAsset, .fileMissing: .missing
      case .unsuitableFile: .data
      case .noLocation, .notPrivate, .newerIndex, .notWriteAhead, .noSpace, .database, .system, .stopped,
        .notOwn:
        .store
      }
    self.init(code, TextTable.printable("\(error)"))
  }
}
