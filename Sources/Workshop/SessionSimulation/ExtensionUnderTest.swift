// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import LaunchPlanning
package import LinuxPrimitives
package import SessionStore

/// The extension to test: its ID, and the path of its app's bundle.
package struct ExtensionUnderTest {
  /// The path of the app's bundle.
  package let bundle: String
  /// The ID of the extension, or an empty string if its manifest is invalid.
  package let extensionID: String

  /// Finds the extension that an argument names. The argument is a path if it contains a slash or names a
  /// directory, and otherwise the ID of an extension or app that is installed in `root`.
  package init(_ argument: String, in root: StateRoot) throws(ExtensionUnderTestError) {
    let isDirectory = (try? FileSystem.open(argument, [.path, .directory])) != nil
    if isDirectory || argument.contains("/") {
      try self.init(directory: argument)
    } else {
      try self.init(installed: argument, root)
    }
  }

  /// Finds an installed extension, without changing its state root.
  package init(installed id: String, _ root: StateRoot) throws(ExtensionUnderTestError) {
    let app: InstalledApp?
    do { app = try root.catalog.app(id) } catch { throw .catalog(error) }
    if let app {
      self.init(
        bundle: app.bundlePath,
        extensionID: try Self.single(app.extensions.map(\.manifest.id), of: id)
      )
      return
    }
    do { self.init(bundle: try root.catalog.find(id).appBundlePath, extensionID: id) } catch {
      throw .catalog(error)
    }
  }

  /// Finds an extension in a directory.
  package init(directory: String) throws(ExtensionUnderTestError) {
    let path: String
    do { path = try FileSystem.realPath(directory) } catch {
      throw .unreadable(error)
    }
    if Self.exists("\(path)/\(AppBundle.manifestName)") {
      let report = PolicyFinder.validator.validate(path)
      // The errors of the bundle are reported when it is installed.
      let ids = report.bundle?.extensions.map(\.manifest.id)
      self.init(
        bundle: path,
        extensionID: try ids.map { ids throws(ExtensionUnderTestError) in
          try Self.single(ids, of: directory)
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
    guard Self.exists("\(path)/\(AppBundle.extensionManifestName)") else {
      throw .noManifest(directory)
    }
    guard Self.exists("\(bundle)/\(AppBundle.manifestName)") else { throw .noApp(directory) }
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
  private static func single(_ ids: [String], of name: String) throws(ExtensionUnderTestError) -> String {
    guard let id = ids.first, ids.count == 1 else {
      throw ids.isEmpty ? .noExtension(name) : .severalExtensions(name, ids)
    }
    return id
  }
}

/// An error while the extension to test was found.
package enum ExtensionUnderTestError: Error, CustomStringConvertible {
  /// The installed apps cannot be read, or contain no such app or extension.
  case catalog(CatalogError)
  /// The directory cannot be read.
  case unreadable(SystemCallError)
  /// The directory contains neither an app's manifest nor an extension's.
  case noManifest(String)
  /// The directory is not in the bundle of an app.
  case noApp(String)
  /// The app has no extension.
  case noExtension(String)
  /// The app has several extensions, with these IDs.
  case severalExtensions(String, [String])

  /// The error message.
  package var description: String {
    switch self {
    case .catalog(let error): "\(error)"
    case .unreadable(let error): "the bundle cannot be read: \(error)"
    case .noManifest(let directory):
      "\(directory) contains neither app.json nor extension.json; give the directory of an app bundle or of an extension"
    case .noApp(let directory):
      "\(directory) is not in an app bundle; move the directory to Extensions next to an app.json (see 'darkroom init')"
    case .noExtension(let name): "\(name) has no extension; add an extension to its directory Extensions"
    case .severalExtensions(let name, let ids):
      "\(name) has several extensions; give the ID or the directory of one: \(ids.joined(separator: ", "))"
    }
  }
}
