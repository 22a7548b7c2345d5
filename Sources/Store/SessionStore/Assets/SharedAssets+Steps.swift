// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The steps of a publication.
extension SharedAssets {
  /// Returns the directory of a set.
  func directory(_ generation: Int64) -> String { "\(app.assetsDirectory)/\(generation)" }
  /// Returns the directory of a set that is visible to a session.
  func files(_ generation: Int64) -> String { "\(directory(generation))/files" }

  /// Returns the generation numbers of all sets in ascending order.
  func generations() throws(StoreError) -> [Int64] {
    guard try exists(app.assetsDirectory) else { return [] }
    return try system { () throws(SystemCallError) in
      try FileSystem.names(in: app.assetsDirectory).compactMap { Int64($0) }.filter { $0 > 0 }.sorted()
    }
  }

  /// Returns the highest generation number, or `nil` if there are no sets.
  func newest() throws(StoreError) -> Int64? { try generations().last }

  /// Whether a file exists at the path.
  func exists(_ path: String) throws(StoreError) -> Bool {
    try system { () throws(SystemCallError) in try FileSystem.status(path) != nil }
  }

  /// Creates the directory of the sets. It must be on the file system of the trash, into which sets are
  /// renamed.
  func prepare() throws(StoreError) {
    try app.prepare()
    let device = try StateRoot.prepareDirectory(app.root.trashDirectory)
    guard try StateRoot.prepareDirectory(app.assetsDirectory) == device else {
      throw .differentFileSystems(app.root.trashDirectory, app.assetsDirectory)
    }
  }

  /// Throws if the source contains the assets directory or is inside it: a tree that is copied into itself
  /// would grow during the copy.
  func rejectOverlap(_ source: String, _ tree: SharedAssetsTree) throws(StoreError) {
    guard let own = try? FileSystem.realPath(app.assetsDirectory),
      let real = try? FileSystem.realPath(source)
    else { return }
    let contains = real == "/" || own == real || own.hasPrefix("\(real)/")
    if contains || real.hasPrefix("\(own)/") { throw tree.fault(.overlapsStore) }
  }

  /// Copies a tree to a temporary directory that no session uses yet. `copied` is called after each entry.
  func copy(
    _ tree: SharedAssetsTree,
    to temporary: String,
    copied: () -> Void
  ) throws(StoreError) -> SharedAssetsTree.Tally {
    let target = try system { () throws(SystemCallError) in
      try FileSystem.makeDirectory(temporary)
      try FileSystem.makeDirectory("\(temporary)/files")
      return try FileSystem.open("\(temporary)/files", [.directory, .noFollow])
    }
    return try tree.copy(to: target, copied: copied)
  }

  /// Renames a complete set to its generation number. From then on, it is the current set.
  func commit(_ temporary: String, as generation: Int64) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try FileSystem.synchronizeDirectory(temporary)
      try FileSystem.rename(temporary, to: directory(generation), .noReplace)
      try FileSystem.synchronizeDirectory(app.assetsDirectory)
    }
  }

  /// Removes incomplete and unused sets, except for the newest.
  ///
  /// The caller must hold the lock of the directory, which shows that no publication is in progress. The
  /// newest set always stays, so that no generation number is reused.
  func removeLeftovers() throws(StoreError) {
    let trash = try Trash(app.root)
    let names = try system { () throws(SystemCallError) in try FileSystem.names(in: app.assetsDirectory) }
    for name in names where name.hasPrefix(Self.unfinishedPrefix) {
      try trash.discard("\(app.assetsDirectory)/\(name)")
    }
    for generation in try generations().dropLast() {
      guard let hold = try claim(directory(generation), for: .removal) else { continue }
      try trash.discard(directory(generation))
      _ = hold
    }
  }

  /// Claims a set, or returns `nil` if a conflicting claim exists or the set has been removed.
  func claim(_ path: String, for claim: DirectoryLock.Claim) throws(StoreError) -> DirectoryLock? {
    do {
      return try DirectoryLock.attempt(path, for: claim)
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
  }

  /// Whether a session uses a set.
  func isInUse(_ path: String) throws(StoreError) -> Bool {
    let hold = try claim(path, for: .removal)
    return hold == nil
  }
}
