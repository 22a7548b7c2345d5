// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives

/// The installed apps and extensions below a state root.
package struct AppCatalog: Sendable {
  /// The directory of the apps: `apps` below the state root.
  package let appsDirectory: String
  /// The directory of the group containers: `groups` below the state root.
  package let groupsDirectory: String
  /// The validator of bundles.
  package let validator: ManifestValidator

  /// Creates a catalog. Its directories are created at the first installation.
  package init(
    appsDirectory: String,
    groupsDirectory: String,
    validator: ManifestValidator = ManifestValidator()
  ) {
    self.appsDirectory = appsDirectory
    self.groupsDirectory = groupsDirectory
    self.validator = validator
  }

  /// The apps in a catalog.
  package struct Listing: Sendable {
    /// The installed apps, ordered by ID.
    package var apps: [InstalledApp]
    /// The errors of the apps that could not be read.
    package var failures: [CatalogError]
  }

  /// Returns all installed apps. A damaged app does not hide the others.
  package func list() throws(CatalogError) -> Listing {
    var listing = Listing(apps: [], failures: [])
    for id in try appIDs() {
      do {
        if let app = try app(id) { listing.apps.append(app) }
      } catch {
        listing.failures.append(error)
      }
    }
    return listing
  }

  /// Returns an installed app, or `nil` if no app with this ID is installed.
  package func app(_ id: String) throws(CatalogError) -> InstalledApp? {
    guard ReverseDNSName.problem(with: id) == nil, let record = try record(id) else { return nil }
    var app = try installed(record)
    app.extensions = try record.extensions.map { pin throws(CatalogError) in
      try installedExtension(pin, of: app, record)
    }
    return app
  }

  /// Returns the installed extension with an ID.
  package func find(_ extensionID: String) throws(CatalogError) -> InstalledExtension {
    var labels = extensionID.utf8[...]
    // The ID of the app is a prefix of the extension's ID, so no other app has to be read.
    while ReverseDNSName.problem(with: extensionID) == nil, let dot = labels.lastIndex(of: UInt8(ascii: "."))
    {
      labels = labels[..<dot]
      guard labels.contains(UInt8(ascii: ".")) else { break }
      guard let record = try record(String(Substring(labels))) else { continue }
      guard let pin = record.extensions.first(where: { $0.id == extensionID }) else { continue }
      return try installedExtension(pin, of: try installed(record), record)
    }
    let known = try list().apps.flatMap { $0.extensions.map(\.manifest.id) }
    throw .extensionNotInstalled(id: extensionID, nearest: nearest(to: extensionID, among: known))
  }

  /// Returns the IDs of all apps that have a directory.
  func appIDs() throws(CatalogError) -> [String] {
    try step { () throws(SystemCallError) in try FileSystem.names(in: appsDirectory) }
      .filter { ReverseDNSName.problem(with: $0) == nil }
  }

  /// Returns the paths of an app.
  func paths(_ id: String) -> AppPaths { AppPaths(appsDirectory, id) }

  /// Returns the record of an installation, or `nil` if there is none.
  func record(_ id: String) throws(CatalogError) -> InstallationRecord? {
    let path = paths(id).record
    let bytes: [UInt8]?
    do {
      bytes = try FileSystem.contents(path, limit: InstallationRecord.limits.bytes)
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch {
      throw .systemCall(error)
    }
    guard let bytes else { throw .damaged(app: id, path: path, .tooLarge) }
    do {
      return try InstallationRecord(bytes, of: id)
    } catch {
      throw .damaged(app: id, path: path, error.damage)
    }
  }

  private func installed(_ record: InstallationRecord) throws(CatalogError) -> InstalledApp {
    let places = paths(record.app)
    let bundle = places.bundle(record.generation)
    var reader = ManifestReader(file: "\(bundle)/\(AppBundle.manifestName)")
    let node = try manifest(reader.file, record.app, record.manifest, app: record.app)
    guard let manifest = AppDraft(node, &reader).manifest else { throw damage(reader, record.app) }
    return InstalledApp(
      manifest: manifest,
      directory: places.directory,
      bundlePath: bundle,
      installedAt: record.installedAt,
      extensions: []
    )
  }

  private func installedExtension(
    _ pin: InstallationRecord.Extension,
    of app: InstalledApp,
    _ record: InstallationRecord
  ) throws(CatalogError) -> InstalledExtension {
    let path = "\(app.bundlePath)/\(pin.directory)"
    var reader = ManifestReader(file: "\(path)/\(AppBundle.extensionManifestName)")
    let node = try manifest(reader.file, pin.id, pin.pinned.manifest, app: record.app)
    let draft = ExtensionDraft(node, &reader)
    let name = draft.policy ?? ExtensionManifest.defaultPolicy
    let policy = pin.pinned.policy == nil ? PolicyReference.shipped(name) : .file(name)
    guard let manifest = draft.manifest(policy: policy) else { throw damage(reader, record.app) }
    return InstalledExtension(
      app: app.manifest,
      manifest: manifest,
      appDirectory: app.directory,
      appBundlePath: app.bundlePath,
      path: path,
      pinned: pin.pinned
    )
  }

  /// Reads an installed manifest and verifies its digest.
  private func manifest(
    _ path: String,
    _ id: String,
    _ installed: SHA256Digest,
    app: String
  ) throws(CatalogError) -> JSONNode {
    let bytes = try step { () throws(SystemCallError) in try FileSystem.contents(path) }
    guard let bytes else { throw .damaged(app: app, path: path, .tooLarge) }
    let found: SHA256Digest
    do { found = try SHA256Digest.of(bytes) } catch { throw .digest(path: path, error) }
    guard found == installed else { throw .changed(id: id, path: path, installed: installed, found: found) }
    do {
      return try JSONNode.parse(bytes)
    } catch {
      throw .damaged(app: app, path: path, .syntax(JSONSyntaxErrorText(error), error.position))
    }
  }

  private func damage(_ reader: ManifestReader, _ app: String) -> CatalogError {
    guard let fault = reader.diagnostics.first else {
      return .damaged(app: app, path: reader.file, .key("id"))
    }
    return .damaged(app: app, path: reader.file, .manifest(fault))
  }
}

/// Runs `body` and converts its error into an error of the catalog.
func step<Result: ~Copyable>(_ body: () throws(SystemCallError) -> Result) throws(CatalogError) -> Result {
  do {
    return try body()
  } catch {
    throw .systemCall(error)
  }
}
