// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What was finished or undone of what crashes had interrupted.
package struct RecoveredWork: Hashable, Sendable {
  /// The assets that are there now.
  package var finished: [String] = []
  /// The files that did not become assets; they are where they were.
  package var undone: [String] = []
  /// The assets that are gone now.
  package var removed: [String] = []
  /// How many incoming files nobody knew of.
  package var strays = 0

  /// Nothing was done.
  package init() {}

  /// Whether anybody could see a difference.
  var changedAnything: Bool { !finished.isEmpty || !removed.isEmpty }
}

/// Finishes or undoes what owners have left who are gone. Nobody else may be doing so at the same time.
struct Settlement {
  let place: LibraryPlace
  let index: AssetIndex
  let tree: LibraryTree
  let observe: (IngestStep) throws(PhotoLibraryError) -> Void

  /// Settles everything.
  func run() throws(PhotoLibraryError) -> RecoveredWork {
    var result = RecoveredWork()
    // Listed before the index is read: an owner that comes later cannot be among them.
    let gone = try LibraryOwner.gone(in: place)
    var isDurable = false
    for unfinished in try index.unfinished() {
      guard try !LibraryOwner.isAlive(unfinished.work.owner, in: place) else { continue }
      // Whoever wrote that may have died before it was durable, and the files are about to rely on it.
      if !isDurable { try place.secureIndex() }
      isDurable = true
      switch unfinished.state {
      case .reserved: try undo(unfinished, &result)
      case .staged: try finish(unfinished, &result)
      case .present: try take(unfinished)
      case .leaving: try remove(unfinished, &result)
      }
    }
    for name in gone { LibraryOwner.remove(name, in: place) }
    try removeStrays(&result)
    return result
  }

  private func undo(_ unfinished: UnfinishedAsset, _ result: inout RecoveredWork) throws(PhotoLibraryError) {
    try tree.removeIncoming(unfinished.asset.id)
    try index.forget(unfinished.asset.id)
    result.undone.append(unfinished.asset.id)
  }

  private func finish(_ unfinished: UnfinishedAsset, _ result: inout RecoveredWork) throws(PhotoLibraryError)
  {
    let asset = unfinished.asset
    if try tree.hasIncoming(asset.id) {
      var path = asset.path
      while try !tree.settle(asset.id, at: path) {
        path = try freePath(for: asset)
        try index.move(asset.id, to: path)
      }
    } else if try tree.status(of: asset.path)?.inode != unfinished.inode {
      // Somebody has removed the file before anybody was shown the asset.
      return try undo(unfinished, &result)
    } else {
      // Whoever has moved it there may have died before that was durable, and the index is about to rely on it.
      try tree.secureSettled(at: asset.path)
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

  /// Takes the file out of its session, if that is still there and has not been handed over.
  private func take(_ unfinished: UnfinishedAsset) throws(PhotoLibraryError) {
    if let source = unfinished.work.source, let path = unfinished.asset.sourcePath,
      let directory = try open(source.directory)
    {
      do { try SourceRemoval.remove(path, inode: source.inode, in: directory) } catch { throw .system(error) }
    }
    try observe(.taken)
    try index.finish(unfinished.asset.id)
  }

  /// The directory of a session's content; nil if it is not there any more.
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
    try index.forget(unfinished.asset.id)
    result.removed.append(unfinished.asset.id)
  }

  /// Removes incoming files without a row. The names are read first: a row is made before its file.
  private func removeStrays(_ result: inout RecoveredWork) throws(PhotoLibraryError) {
    let names = try tree.incomingNames()
    guard !names.isEmpty else { return }
    let known = try index.incomingIDs()
    for name in names where !known.contains(name) {
      try tree.removeIncoming(name)
      result.strays += 1
    }
  }
}
