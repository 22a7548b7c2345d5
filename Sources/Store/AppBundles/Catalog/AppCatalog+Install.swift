// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives

/// What an installation has done.
package struct Installation: Sendable {
  /// The app as it is installed now.
  package var app: InstalledApp
  /// What is doubtful about the bundle.
  package var warnings: [ManifestDiagnostic]
  /// Whether the app was there before.
  package var origin: Origin

  /// What was there before an installation.
  package enum Origin: String, Sendable {
    /// Nothing.
    case new
    /// An older copy, which is gone now.
    case replaced
  }
}

/// The points that an installation passes; after a crash at each of them the old or the new copy is installed.
package enum InstallationStep: String, Sendable, CaseIterable {
  /// What earlier crashes left behind is gone.
  case cleaned
  /// The copy is complete and on the disk, and nobody knows of it.
  case copied
  /// The copy is the installed one.
  case recorded
  /// The old copy is gone.
  case finished
}

extension AppCatalog {
  /// Installs the app in a bundle, or installs it again; the bundle itself is not needed any more afterwards.
  ///
  /// `observe` is told each step after it is done.
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
    try prepare(places(id), groups: bundle.manifest.groups)
    // A record that cannot be read is what installing again shall mend.
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

  /// Keeps others from installing and uninstalling; waits until they are done.
  func takeLock() throws(CatalogError) -> FileLock {
    try step { () throws(SystemCallError) in try FileLock.lock("\(appsDirectory)/.lock") }
  }

  private func refuseInstalledCopy(_ bundlePath: String) throws(CatalogError) {
    guard let apps = try? FileSystem.realPath(appsDirectory),
      let bundle = try? FileSystem.realPath(bundlePath)
    else { return }
    if bundle == apps || bundle.hasPrefix("\(apps)/") { throw .bundleInsideCatalog(path: bundlePath) }
  }

  private func prepare(_ places: AppPlaces, groups: [String]) throws(CatalogError) {
    try step { () throws(SystemCallError) in
      for path in places.all { try FileSystem.makeDirectories(path) }
      for group in groups { try FileSystem.makeDirectories("\(groupsDirectory)/\(group)") }
      for path in places.all + [groupsDirectory, appsDirectory] { try FileSystem.synchronizeDirectory(path) }
    }
  }

  /// Removes copies that are not the installed one, unless a session is running from them, and temporary files.
  func removeLeftovers(_ id: String, keeping generation: Int64?) throws(CatalogError) {
    let places = places(id)
    try step { () throws(SystemCallError) in
      for name in try FileSystem.names(in: places.bundles) where name != generation.map(String.init) {
        let path = "\(places.bundles)/\(name)"
        guard let hold = try DirectoryHold.attempt(path, for: .removal) else { continue }
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

  /// A number that no copy has: one that a session still runs from may be left.
  private func freeGeneration(_ id: String, after old: Int64) throws(CatalogError) -> Int64 {
    let names = try step { () throws(SystemCallError) in try FileSystem.names(in: places(id).bundles) }
    return (names.compactMap { Int64($0) } + [old]).reduce(0, max) + 1
  }

  /// Copies a bundle, and judges the copy: the bundle may have been changed since it was judged.
  private func copy(_ bundle: AppBundle, generation: Int64) throws(CatalogError) -> InstallationRecord {
    let path = places(bundle.manifest.id).bundle(generation)
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
      let program = try InstalledProgram(found.manifest.executable, in: directory)
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
    let places = places(record.app)
    do {
      try FileSystem.replaceContents(places.record, with: record.bytes)
    } catch {
      // The rename may have happened and only the last fsync failed; then the new copy is the installed one.
      if (try? self.record(record.app))?.generation != record.generation {
        try? FileSystem.removeTree(places.bundle(record.generation))
      }
      throw .systemCall(error)
    }
  }
}
