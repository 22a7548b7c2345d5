// SPDX-License-Identifier: Apache-2.0

package import Digests
package import LinuxPrimitives

/// An extension that is installed.
package struct InstalledExtension: Sendable, Hashable {
  /// What its app says of itself.
  package var app: AppManifest
  /// What the extension says of itself.
  package var manifest: ExtensionManifest
  /// Everything of the app below the state root: `apps/<id>`.
  package var appDirectory: String
  /// The installed copy of the app's bundle.
  package var appBundlePath: String
  /// The extension's own directory in that copy: what it sees as `/extension`.
  package var path: String
  /// The digests of the extension's files when it was installed.
  package var pinned: PinnedDigests

  /// The path of the program; symbolic links can lead from there to the file.
  package var executablePath: String { "\(path)/\(manifest.executable)" }
  /// The path of the extension's manifest.
  package var manifestPath: String { "\(path)/\(AppBundle.extensionManifestName)" }

  /// The path of the policy document that the extension brought, if it did.
  package var policyPath: String? {
    if case .file(let name) = manifest.policy { "\(path)/\(name)" } else { nil }
  }

  /// Keeps the installed copy from being removed by an installation or by `uninstall` as long as the claim lives.
  ///
  /// Take it before ``verifyDigest()`` and keep it until the session is over. Nil: it is being removed just now, so
  /// look the extension up again.
  package func hold() throws(CatalogError) -> DirectoryHold? {
    do {
      return try DirectoryHold.attempt(appBundlePath, for: .use)
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch {
      throw .systemCall(error)
    }
  }

  /// Throws ``CatalogError/changed(id:path:installed:found:)`` or ``CatalogError/linksChanged(id:path:)`` unless the program, the links
  /// that lead to it, the manifest and the policy document are those that were installed.
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
    // No link was on the way, and where there is one now, it leads to another file or to the same bytes.
    if pinned.links.isEmpty { return executablePath }
    let program = try InstalledProgram(manifest.executable, in: path)
    guard program.links == pinned.links, (program.file == nil) == (pinned.executable == nil) else {
      throw .linksChanged(id: manifest.id, path: executablePath)
    }
    return program.file
  }

  /// Returns the digest of a file of the installed copy; a symbolic link is refused.
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

/// The digest of a regular file.
func fileDigest(_ path: String) throws(CatalogError) -> SHA256Digest {
  let file = try openInstalled(path)
  do {
    return try SHA256Digest.of(file)
  } catch {
    throw .digest(path: path, error)
  }
}

/// Opens a file of a bundle, whatever it may have become.
private func openInstalled(_ path: String) throws(CatalogError) -> Descriptor {
  do {
    return try FileSystem.open(path, [.read, .noFollow, .nonBlocking])
  } catch {
    throw .systemCall(error)
  }
}
