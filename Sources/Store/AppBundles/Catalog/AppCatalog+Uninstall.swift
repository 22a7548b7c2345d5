// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The rule for pending session content when its app is uninstalled.
package enum PendingContentRule: String, Sendable {
  /// The app stays installed.
  case refuse
  /// The content is lost.
  case discard
}

extension AppCatalog {
  /// The prefix of the directory names of uninstalled apps until they are removed. No app ID has this prefix.
  private static let uninstalledPrefix = ".uninstalled."

  /// Removes an app and all its files. Group containers are kept unless they are empty and no other app uses
  /// them.
  package func uninstall(_ id: String, content rule: PendingContentRule = .refuse) throws(CatalogError) {
    let installed = try? app(id)
    guard try appIDs().contains(id) else { throw try notInstalled(id) }
    let lock = try takeLock()
    defer { _ = lock }
    let places = paths(id)
    if rule == .refuse { try refusePendingContent(id, places) }
    let publishing = try lockAssets(places)
    let holds = try claimCopies(id, places)
    defer {
      _ = holds
      _ = publishing
    }
    let tombstone = "\(appsDirectory)/\(Self.uninstalledPrefix)\(Randomness.hexadecimal(bytes: 8))"
    try step { () throws(SystemCallError) in
      try FileSystem.rename(places.directory, to: tombstone, .noReplace)
      try FileSystem.synchronizeDirectory(appsDirectory)
      try FileSystem.removeTree(tombstone)
    }
    try removeUninstalled()
    try removeGroups(installed?.manifest.groups ?? [])
  }

  /// Removes the directories of interrupted uninstallations.
  func removeUninstalled() throws(CatalogError) {
    try step { () throws(SystemCallError) in
      for name in try FileSystem.names(in: appsDirectory) where name.hasPrefix(Self.uninstalledPrefix) {
        try FileSystem.removeTree("\(appsDirectory)/\(name)")
      }
    }
  }

  /// Returns the error for an app that is not installed. The error suggests the most similar ID.
  package func notInstalled(_ id: String) throws(CatalogError) -> CatalogError {
    .appNotInstalled(id: id, nearest: nearest(to: id, among: try appIDs()))
  }

  private func refusePendingContent(_ id: String, _ places: AppPaths) throws(CatalogError) {
    let waiting = try step { () throws(SystemCallError) in try FileSystem.names(in: places.content) }
    if !waiting.isEmpty {
      throw .contentPending(app: id, sessions: waiting.count, directory: places.content)
    }
  }

  /// Waits until no process publishes shared files for the app, because a publisher would write to the
  /// removed directory.
  private func lockAssets(_ places: AppPaths) throws(CatalogError) -> FileLock? {
    try step { () throws(SystemCallError) in
      guard try FileSystem.status(places.assets) != nil else { return nil }
      return try FileLock.lock(owning: FileSystem.open(places.assets, [.directory, .noFollow]))
    }
  }

  /// Locks all copies, so that no session starts from them, and all sets of shared files, which a session of
  /// any program of the app may use.
  private func claimCopies(_ id: String, _ places: AppPaths) throws(CatalogError) -> CopyClaims {
    var claims = CopyClaims()
    let paths = try step { () throws(SystemCallError) in
      // A set without a number as its name is incomplete and not in use.
      let sets = try FileSystem.names(in: places.assets).filter { Int64($0) != nil }
      return try FileSystem.names(in: places.bundles).map { "\(places.bundles)/\($0)" }
        + sets.map { "\(places.assets)/\($0)" }
    }
    for path in paths {
      let hold = try step { () throws(SystemCallError) in try DirectoryLock.attempt(path, for: .removal) }
      guard let hold else { throw .extensionRunning(app: id) }
      claims = CopyClaims(hold, claims)
    }
    return claims
  }

  private func removeGroups(_ groups: [String]) throws(CatalogError) {
    let others = try Set(list().apps.flatMap(\.manifest.groups))
    for group in groups where !others.contains(group) {
      do {
        try FileSystem.removeDirectory("\(groupsDirectory)/\(group)")
      } catch  where error.errno == .noSuchFile || error.errno == .notEmpty {
        continue
      } catch {
        throw .systemCall(error)
      }
    }
  }
}

/// The locks on all copies of an app, as a linked list, because arrays cannot contain noncopyable values.
private final class CopyClaims {
  private let hold: DirectoryLock?
  private let rest: CopyClaims?

  init() {
    hold = nil
    rest = nil
  }

  init(_ hold: consuming DirectoryLock, _ rest: CopyClaims) {
    self.hold = consume hold
    self.rest = rest
  }
}
