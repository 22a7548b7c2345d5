// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import CommandGrammar
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionStore

/// The extension to test: its ID, and the path of its app's bundle.
struct ExtensionUnderTest {
  /// The argument that names the extension.
  static let argument = ArgumentSpec(
    "EXTENSION",
    help:
      "The id of an installed extension or app, or the directory of an app's bundle or of one of its extensions"
  )

  /// The path of the app's bundle.
  let bundle: String
  let extensionID: String

  /// Finds the extension that an argument names. The argument is a path if it contains a slash or names a
  /// directory, and otherwise an ID.
  init(_ word: String, _ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) {
    let isDirectory = (try? FileSystem.open(word, [.path, .directory])) != nil
    if isDirectory || word.contains("/") {
      try self.init(directory: word)
    } else {
      try self.init(installed: word, try CommonOptions.resolvedRoot(parsed, console))
    }
  }

  /// Finds an installed extension, without changing its state root.
  private init(installed id: String, _ root: StateRoot) throws(CommandFailure) {
    let catalog = CommonOptions.catalog(root)
    let app = try CommandFailure.mappingCatalogErrors { () throws(CatalogError) in try catalog.app(id) }
    if let app {
      self.init(
        bundle: app.bundlePath,
        extensionID: try Self.single(app.extensions.map(\.manifest.id), of: id)
      )
      return
    }
    let found = try CommandFailure.mappingCatalogErrors { () throws(CatalogError) in try catalog.find(id) }
    self.init(bundle: found.appBundlePath, extensionID: id)
  }

  /// Finds an extension in a directory.
  private init(directory: String) throws(CommandFailure) {
    let path: String
    do { path = try FileSystem.realPath(directory) } catch {
      throw CommandFailure(.missing, "the bundle cannot be read: \(error)")
    }
    if Self.exists("\(path)/\(AppBundle.manifestName)") {
      let report = PolicyFinder.validator.validate(path)
      // The errors of the bundle are reported when it is installed.
      let ids = report.bundle?.extensions.map(\.manifest.id)
      self.init(
        bundle: path,
        extensionID: try ids.map { ids throws(CommandFailure) in
          try Self.single(ids, of: TextTable.printable(directory))
        } ?? ""
      )
      return
    }
    // `darkroom init` creates a project directory that contains the bundle.
    if Self.exists("\(path)/bundle/\(AppBundle.manifestName)") {
      try self.init(directory: "\(path)/bundle")
      return
    }
    let bundle = FileSystem.directoryName(FileSystem.directoryName(path))
    let place = TextTable.printable(directory)
    guard Self.exists("\(path)/\(AppBundle.extensionManifestName)") else {
      throw CommandFailure(
        .missing,
        "\(place) holds neither app.json nor extension.json; name the directory of an app's bundle or of an extension"
      )
    }
    guard Self.exists("\(bundle)/\(AppBundle.manifestName)") else {
      throw CommandFailure(
        .data,
        "\(place) is in no app: put it into Extensions beside an app.json, as 'darkroom init' makes it"
      )
    }
    let report = PolicyFinder.validator.validate(bundle)
    let name = FileSystem.lastComponent(path)
    let found = report.bundle?.extensions.first { FileSystem.lastComponent($0.directory) == name }
    self.init(bundle: bundle, extensionID: found?.manifest.id ?? "")
  }

  private init(bundle: String, extensionID: String) {
    self.bundle = bundle
    self.extensionID = extensionID
  }

  private static func exists(_ path: String) -> Bool {
    (try? FileSystem.status(path)).flatMap { $0 } != nil
  }

  /// Returns the ID of the only extension, or throws if there are none or several.
  private static func single(_ ids: [String], of name: String) throws(CommandFailure) -> String {
    guard let id = ids.first, ids.count == 1 else {
      guard !ids.isEmpty else {
        throw CommandFailure(.missing, "\(name) has no extension; put one into its directory Extensions")
      }
      throw CommandFailure(
        .usage,
        "\(name) has several extensions; name one of them: \(ids.joined(separator: ", ")), or its directory"
      )
    }
    return id
  }
}
