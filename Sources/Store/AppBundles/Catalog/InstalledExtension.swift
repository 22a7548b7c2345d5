// SPDX-License-Identifier: Apache-2.0

package import Digests
package import LinuxPrimitives

/// An installed extension.
package struct InstalledExtension: Sendable, Hashable {
  /// The manifest of the app.
  package var app: AppManifest
  /// The manifest of the extension.
  package var manifest: ExtensionManifest
  /// The directory of the app below the state root: `apps/<id>`.
  package var appDirectory: String
  /// The path of the installed copy of the app's bundle.
  package var appBundlePath: String
  /// The directory of the extension in that copy, which a session sees as `/extension`.
  package var path: String
  /// The digests of the extension's files at installation.
  package var pinned: PinnedDigests

  /// The path of the program. Symbolic links can lead from this path to the file.
  package var executablePath: String { "\(path)/\(manifest.program.path)" }
  /// The path of the extension's manifest.
  package var manifestPath: String { "\(path)/\(AppBundle.extensionManifestName)" }

  /// The path of the policy document, or `nil` if the extension has none.
  package var policyPath: String? {
    if case .file(let name) = manifest.policy { "\(path)/\(name)" } else { nil }
  }

  /// Locks the installed copy, so that no installation or uninstallation removes it while the lock exists.
  /// Returns `nil` if the copy is being removed. Then find the extension again.
  ///
  /// Take the lock before ``verifyDigest()`` and keep it until the session has ended.
  package func hold() throws(CatalogError) -> DirectoryLock? {
    do {
      return try DirectoryLock.attempt(appBundlePath, for: .use)
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch {
      throw .systemCall(error)
    }
  }

  /// Throws ``CatalogError/changed(id:path:installed:found:)`` or ``CatalogError/linksChanged(id:path:)`` if
  /// the program, its links, the manifest or the policy document differ from the installed ones.
  package func verifyDigest(_ verification: DigestVerification = .reading) throws(CatalogError) {
    if let program = try programFile(), let executable = pinned.executable {
      switch verification {
      case .reading: try verify(program, executable)
      case .unlessUnchanged: try verifyUnlessUnchanged(program, executable)
      }
    }
    try verify(manifestPath, pinned.manifest)
    if let policyPath, let policy = pinned.policy { try verify(policyPath, policy) }
  }

  /// Returns the path of the program's file, or `nil` if the installed links lead to a program of the host.
  private func programFile() throws(CatalogError) -> String? {
    // The installed path has no link. A link that exists now leads to another file or to the same bytes,
    // which the digest shows.
    if pinned.links.isEmpty { return executablePath }
    let program = try InstalledProgram(manifest.program.path, in: path)
    guard program.links == pinned.links, (program.file == nil) == (pinned.executable == nil) else {
      throw .linksChanged(id: manifest.id, path: executablePath)
    }
    return program.file
  }

  /// Returns the digest of a file of the installed copy. Symbolic links are not followed.
  package func digest(of path: String) throws(CatalogError) -> SHA256Digest { try fileDigest(path) }

  private func verify(_ path: String, _ installed: SHA256Digest) throws(CatalogError) {
    try require(try fileDigest(path), installed, path)
  }

  private func verifyUnlessUnchanged(_ path: String, _ installed: SHA256Digest) throws(CatalogError) {
    let known = VerifiedFiles(appDirectory: appDirectory)
    let file = try openInstalled(path)
    if known.contains(file, installed) { return }
    let found: SHA256Digest
    do { found = try known.read(file, expecting: installed) } catch {
      throw .digest(path: path, error)
    }
    try require(found, installed, path)
  }

  private func require(
    _ found: SHA256Digest,
    _ installed: SHA256Digest,
    _ path: String
  ) throws(CatalogError) {
    guard found == installed else {
      throw .changed(id: manifest.id, path: path, installed: installed, found: found)
    }
  }
}

/// Returns the digest of a regular file.
func fileDigest(_ path: String) throws(CatalogError) -> SHA256Digest {
  let file = try openInstalled(path)
  do {
    return try SHA256Digest.of(file)
  } catch {
    throw .digest(path: path, error)
  }
}

/// Opens a file of a bundle without following a link or blocking, whatever its type is now.
private func openInstalled(_ path: String) throws(CatalogError) -> Descriptor {
  do {
    return try FileSystem.open(path, [.read, .noFollow, .nonBlocking])
  } catch {
    throw .systemCall(error)
  }
}
