// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The steps of which publications are made.
extension SharedAssets {
  /// The directory of a set.
  func directory(_ generation: Int64) -> String { "\(app.assetsDirectory)/\(generation)" }
  /// What a session sees of a set.
  func files(_ generation: Int64) -> String { "\(directory(generation))/files" }

  /// The numbers of all sets, in rising order.
  func generations() throws(StoreError) -> [Int64] {
    guard try isThere(app.assetsDirectory) else { return [] }
    return try system { () throws(SystemCallError) in
      try FileSystem.names(in: app.assetsDirectory).compactMap { Int64($0) }.filter { $0 > 0 }.sorted()
    }
  }

  /// The highest number.
  func newest() throws(StoreError) -> Int64? { try generations().last }

  /// Whether something has this path.
  func isThere(_ path: String) throws(StoreError) -> Bool {
    try system { () throws(SystemCallError) in try FileSystem.status(path) != nil }
  }

  /// Makes the directory of the sets, on the file system of the trash, into which they are removed.
  func prepare() throws(StoreError) {
    try app.prepare()
    let device = try StateRoot.prepareDirectory(app.root.trashDirectory)
    guard try StateRoot.prepareDirectory(app.assetsDirectory) == device else {
      throw .twoFileSystems(app.root.trashDirectory, app.assetsDirectory)
    }
  }

  /// A tree that contains what it is copied into would grow while it is copied.
  func refuseOwnPlace(_ source: String, _ tree: SharedAssetsTree) throws(StoreError) {
    guard let own = try? FileSystem.realPath(app.assetsDirectory),
      let real = try? FileSystem.realPath(source)
    else { return }
    let contains = real == "/" || own == real || own.hasPrefix("\(real)/")
    if contains || real.hasPrefix("\(own)/") { throw tree.fault(.ownPlace) }
  }

  /// Copies a tree to where nobody looks for a set yet; `copied` is called after each entry.
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

  /// Makes a complete directory the newest: from here on sessions get it.
  func commit(_ temporary: String, as generation: Int64) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try FileSystem.synchronizeDirectory(temporary)
      try FileSystem.rename(temporary, to: directory(generation), .noReplace)
      try FileSystem.synchronizeDirectory(app.assetsDirectory)
    }
  }

  /// Only for who holds the lock of the directory: then nobody is at work on what is not complete. The newest always
  /// stays, so that no number is ever given twice.
  func removeLeftovers() throws(StoreError) {
    let trash = try Trash(app.root)
    let names = try system { () throws(SystemCallError) in try FileSystem.names(in: app.assetsDirectory) }
    for name in names where name.hasPrefix(Self.unfinished) {
      try trash.discard("\(app.assetsDirectory)/\(name)")
    }
    for generation in try generations().dropLast() {
      guard let hold = try claim(directory(generation), for: .removal) else { continue }
      try trash.discard(directory(generation))
      _ = hold
    }
  }

  /// Claims a set; nil if somebody else has a claim that does not go with it, or if it is gone.
  func claim(_ path: String, for claim: DirectoryHold.Claim) throws(StoreError) -> DirectoryHold? {
    do {
      return try DirectoryHold.attempt(path, for: claim)
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
  }

  /// Whether a session holds a set.
  func isUsed(_ path: String) throws(StoreError) -> Bool {
    let hold = try claim(path, for: .removal)
    return hold == nil
  }
}
