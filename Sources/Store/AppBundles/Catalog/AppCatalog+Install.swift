// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives

/// The result of an installation.
package struct Installation: Sendable {
  /// The app as installed.
  package var app: InstalledApp
  /// The warnings about the bundle.
  package var warnings: [ManifestDiagnostic]
  /// Whether the app was installed before.
  package var origin: Origin

  /// The previous state of an app before an installation.
  package enum Origin: String, Sendable {
    /// The app was not installed.
    case new
    /// An older copy was installed and has been removed.
    case replaced
  }
}

/// The steps of an installation. After a crash at any of them, the old or the new copy is installed.
package enum InstallationStep: String, Sendable, CaseIterable {
  /// The remains of earlier crashes are removed.
  case cleaned
  /// The copy is complete and durable, but not recorded.
  case copied
  /// The copy is recorded as the installed one.
  case recorded
  /// The old copy is removed.
  case finished
}

extension AppCatalog {
  /// Installs the app in a bundle, or replaces its installed copy. The bundle is not needed afterwards.
  ///
  /// `observe` is called with each step after it is done.
  package func install(
    _ bundlePath: String,
    observe: (InstallationStep) -> Void = { _ in }
  ) throws(CatalogError) -> Installation {
    let report = validator.validate(bundlePath)
    guard let bundle = report.bundle else {
      throw .bundleRefused(path: bundlePath, report.diagnostics)
    }
    try refuseInstalledCopy(bundlePath)
    for path in [appsDirectory, groupsDirectory] {
      try step { () throws(SystemCallError) in try FileSystem.makeDirectories(path) }
    }
    let lock = try takeLock()
    defer { _ = lock }
    let id = bundle.manifest.id
    try prepare(paths(id), groups: bundle.manifest.groups)
    // Installing again repairs an unreadable record.
    let old = try? record(id)
    try removeLeftovers(id, keeping: old?.generation)
    observe(.cleaned)
    let record = try copy(bundle, generation: try freeGeneration(id, after: old?.generation ?? 0))
    observe(.copied)
    try commit(record)
    observe(.recorded)
    try removeLeftovers(id, keeping: record.generation)
    observe(.finished)
    guard let app = try app(id) else { throw .appNotInstalled(id: id, nearest: nil) }
    return Installation(app: app, warnings: report.warnings, origin: old == nil ? .new : .replaced)
  }

  /// Takes the lock that serializes installations and uninstallations, waiting until it is free.
  func takeLock() throws(CatalogError) -> FileLock {
    try step { () throws(SystemCallError) in try FileLock.lock("\(appsDirectory)/.lock") }
  }

  private func refuseInstalledCopy(_ bundlePath: String) throws(CatalogError) {
    guard let apps = try? FileSystem.realPath(appsDirectory),
      let bundle = try? FileSystem.realPath(bundlePath)
    else { return }
    if bundle == apps || bundle.hasPrefix("\(apps)/") { throw .bundleInsideCatalog(path: bundlePath) }
  }

  private func prepare(_ places: AppPaths, groups: [String]) throws(CatalogError) {
    try step { () throws(SystemCallError) in
      for path in places.all { try FileSystem.makeDirectories(path) }
      for group in groups { try FileSystem.makeDirectories("\(groupsDirectory)/\(group)") }
      for path in places.all + [groupsDirectory, appsDirectory] { try FileSystem.synchronizeDirectory(path) }
    }
  }

  /// Removes temporary files and copies other than the installed one, unless a session uses them.
  func removeLeftovers(_ id: String, keeping generation: Int64?) throws(CatalogError) {
    let places = paths(id)
    try step { () throws(SystemCallError) in
      for name in try FileSystem.names(in: places.bundles) where name != generation.map(String.init) {
        let path = "\(places.bundles)/\(name)"
        guard let hold = try DirectoryLock.attempt(path, for: .removal) else { continue }
        try FileSystem.removeTree(path)
        _ = hold
      }
      let prefix = "\(FileSystem.lastComponent(places.record)).new."
      for name in try FileSystem.names(in: places.directory) where name.hasPrefix(prefix) {
        try FileSystem.unlink("\(places.directory)/\(name)")
      }
      try FileSystem.synchronizeDirectory(places.bundles)
    }
    try removeUninstalled()
  }

  /// Returns a generation number that no copy has. A session may still use an old copy.
  private func freeGeneration(_ id: String, after old: Int64) throws(CatalogError) -> Int64 {
    let names = try step { () throws(SystemCallError) in try FileSystem.names(in: paths(id).bundles) }
    return (names.compactMap { Int64($0) } + [old]).reduce(0, max) + 1
  }

  /// Copies a bundle and validates the copy, because the bundle may have changed since its validation.
  private func copy(_ bundle: AppBundle, generation: Int64) throws(CatalogError) -> InstallationRecord {
    let path = paths(bundle.manifest.id).bundle(generation)
    do throws(CatalogError) {
      try copyFiles(bundle.path, to: path)
      let report = validator.validate(path)
      guard let copy = report.bundle, copy.manifest == bundle.manifest, copy.extensions == bundle.extensions
      else { throw CatalogError.changedWhileCopied(path: bundle.path, report.diagnostics) }
      return try record(of: copy, generation: generation)
    } catch {
      try? FileSystem.removeTree(path)
      throw error
    }
  }

  private func copyFiles(_ old: String, to new: String) throws(CatalogError) {
    do {
      try BundleCopy.copy(old, to: new)
      try FileSystem.synchronizeDirectory(FileSystem.directoryName(new))
    } catch let error as BundleCopy.Failure {
      switch error {
      case .refused(let path, let fault):
        throw .changedWhileCopied(path: old, [ManifestDiagnostic(file: path, fault: fault)])
      case .systemCall(let error): throw .systemCall(error)
      }
    } catch let error as SystemCallError {
      throw .systemCall(error)
    } catch {
      throw .changedWhileCopied(path: old, [])
    }
  }

  private func record(of copy: AppBundle, generation: Int64) throws(CatalogError) -> InstallationRecord {
    let pinned = try copy.extensions.map { found throws(CatalogError) in
      let directory = "\(copy.path)/\(found.directory)"
      var policy: SHA256Digest?
      if case .file(let name) = found.manifest.policy { policy = try fileDigest("\(directory)/\(name)") }
      let program = try InstalledProgram(found.manifest.program.path, in: directory)
      let digests = PinnedDigests(
        executable: try program.file.map { path throws(CatalogError) in try fileDigest(path) },
        links: program.links,
        manifest: try fileDigest("\(directory)/\(AppBundle.extensionManifestName)"),
        policy: policy
      )
      return InstallationRecord.Extension(
        id: found.manifest.id,
        directory: found.directory,
        pinned: digests
      )
    }
    let manifest = try fileDigest("\(copy.path)/\(AppBundle.manifestName)")
    return InstallationRecord(
      app: copy.manifest.id,
      generation: generation,
      manifest: manifest,
      extensions: pinned
    )
  }

  private func commit(_ record: InstallationRecord) throws(CatalogError) {
    let places = paths(record.app)
    do {
      try FileSystem.replaceContents(places.record, with: record.bytes)
    } catch {
      // The rename may have succeeded although the last fsync failed. Then the new copy is the installed one.
      if (try? self.record(record.app))?.generation != record.generation {
        try? FileSystem.removeTree(places.bundle(record.generation))
      }
      throw .systemCall(error)
    }
  }
}
