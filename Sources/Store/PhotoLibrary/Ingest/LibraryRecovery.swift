// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The result of a recovery of interrupted work.
package struct RecoveredWork: Hashable, Sendable {
  /// The IDs of the assets that are visible now.
  package var finished: [String] = []
  /// The IDs of the additions that were undone. Their source files are unchanged.
  package var undone: [String] = []
  /// The IDs of the assets that were removed.
  package var removed: [String] = []
  /// The number of removed incoming files without a row in the index.
  package var orphanedFiles = 0

  /// Creates an empty result.
  package init() {}

  /// Whether the visible assets have changed.
  var changedAnything: Bool { !finished.isEmpty || !removed.isEmpty }
}

/// Finishes or undoes the work of dead owners. The caller must exclude other processes.
struct LibraryRecovery {
  let place: LibraryLocation
  let index: AssetIndex
  let tree: LibraryTree
  let observe: (IngestStep) throws(PhotoLibraryError) -> Void

  /// Recovers all pending work.
  func run() throws(PhotoLibraryError) -> RecoveredWork {
    var result = RecoveredWork()
    // List the owners before reading the index, so that an owner that is created later is not included.
    let gone = try LibraryOwner.abandoned(in: place)
    var isDurable = false
    for unfinished in try index.unfinished() {
      guard try !LibraryOwner.isAlive(unfinished.work.owner, in: place) else { continue }
      // The writer may have died before its commit was durable, and the following file operations rely on it.
      if !isDurable { try place.secureIndex() }
      isDurable = true
      switch unfinished.state {
      case .reserved: try undo(unfinished, &result)
      case .staged: try finish(unfinished, &result)
      case .present: try take(unfinished)
      case .deleting: try remove(unfinished, &result)
      }
    }
    for name in gone { LibraryOwner.remove(name, in: place) }
    try removeStrays(&result)
    return result
  }

  private func undo(_ unfinished: UnfinishedAsset, _ result: inout RecoveredWork) throws(PhotoLibraryError) {
    try tree.removeIncoming(unfinished.asset.id)
    try index.delete(unfinished.asset.id)
    result.undone.append(unfinished.asset.id)
  }

  private func finish(_ unfinished: UnfinishedAsset, _ result: inout RecoveredWork) throws(PhotoLibraryError)
  {
    let asset = unfinished.asset
    if try tree.hasIncoming(asset.id) {
      var path = asset.path
      while try !tree.moveIntoPlace(asset.id, at: path) {
        path = try freePath(for: asset)
        try index.move(asset.id, to: path)
      }
    } else if try tree.status(of: asset.path)?.inode != unfinished.inode {
      // Another program has removed the file before the asset was visible.
      return try undo(unfinished, &result)
    } else {
      // The process that moved the file may have died before the move was durable, and the index will rely on
      // it.
      try tree.secureMoved(at: asset.path)
    }
    try observe(.placed)
    try index.transaction { () throws(PhotoLibraryError) in try index.commit(asset.id) }
    try observe(.committed)
    try take(unfinished)
    result.finished.append(asset.id)
  }

  private func freePath(for asset: Asset) throws(PhotoLibraryError) -> String {
    var number = 2
    while true {
      let path = AssetName.path(asset.title, createdAt: asset.createdAt, number: number)
      if try !index.hasPath(path), try tree.status(of: path) == nil { return path }
      number += 1
    }
  }

  /// Removes the file from its session, if the session content still exists and has not been migrated.
  private func take(_ unfinished: UnfinishedAsset) throws(PhotoLibraryError) {
    if let source = unfinished.work.source, let path = unfinished.asset.sourcePath,
      let directory = try open(source.directory)
    {
      do { try SourceRemoval.remove(path, inode: source.inode, in: directory) } catch { throw .system(error) }
    }
    try observe(.sourceRemoved)
    try index.finish(unfinished.asset.id)
  }

  /// Opens the directory of a session's content, or returns `nil` if it does not exist.
  private func open(_ path: String) throws(PhotoLibraryError) -> Descriptor? {
    do {
      return try FileSystem.open(path, [.directory, .noFollow])
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
  }

  private func remove(_ unfinished: UnfinishedAsset, _ result: inout RecoveredWork) throws(PhotoLibraryError)
  {
    try tree.remove(unfinished.asset.path)
    try index.delete(unfinished.asset.id)
    result.removed.append(unfinished.asset.id)
  }

  /// Removes incoming files without a row in the index. The names are read first, because a row is created
  /// before its file.
  private func removeStrays(_ result: inout RecoveredWork) throws(PhotoLibraryError) {
    let names = try tree.incomingNames()
    guard !names.isEmpty else { return }
    let known = try index.incomingIDs()
    for name in names where !known.contains(name) {
      try tree.removeIncoming(name)
      result.orphanedFiles += 1
    }
  }
}
