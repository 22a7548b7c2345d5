// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The photo library of a user: files by year, month and name, and an index of them.
///
/// Only one thread at a time may use a value. Any number of values, in any number of processes, can use the
/// same library.
package final class PhotoLibrary {
  /// The location of the library.
  package let place: LibraryLocation
  /// The result of the recovery when this value was created.
  package let recovered: RecoveredWork
  let index: AssetIndex
  let tree: LibraryTree
  private let owner: OwnerHolder
  /// Called after each step. A thrown error simulates a crash, for tests.
  let observe: (IngestStep) throws(PhotoLibraryError) -> Void

  /// A class that owns an owner and releases it when it is destroyed.
  private final class OwnerHolder {
    let name: String
    private var owner: LibraryOwner?

    /// Takes ownership of an owner.
    init(_ owner: consuming LibraryOwner) {
      name = owner.name
      self.owner = consume owner
    }

    deinit { owner.take()?.release() }
  }

  /// The owner name of this value.
  var ownerName: String { owner.name }

  /// Opens a library, creating it if necessary, and recovers work that crashes have interrupted.
  package init(
    _ place: LibraryLocation,
    observe: @escaping (IngestStep) throws(PhotoLibraryError) -> Void = { _ throws(PhotoLibraryError) in }
  ) throws(PhotoLibraryError) {
    self.place = place
    self.observe = observe
    try place.prepare()
    tree = try LibraryTree(place)
    // Only one process at a time sets up the index and recovers work.
    let settling = try librarySystem(place.path) { () throws(SystemCallError) in
      try FileLock.lock(place.recoveryLockFile)
    }
    index = try AssetIndex(place.indexFile)
    recovered = try LibraryRecovery(place: place, index: index, tree: tree, observe: observe).run()
    owner = OwnerHolder(try LibraryOwner.make(in: place))
    // A process that died while signaling may have left the file. An additional change event is harmless.
    try? FileSystem.unlink(place.signalFile)
    _ = settling
    if recovered.changedAnything { signalChange() }
  }

  /// Notifies all watchers that the library has changed.
  func signalChange() {
    // A file is created and removed. Concurrent signals cause at least one event after the last change. If
    // this fails, watchers see the change with the next signal.
    guard (try? FileSystem.open(place.signalFile, [.write, .create, .noFollow])) != nil else { return }
    try? FileSystem.unlink(place.signalFile)
  }

  /// Starts watching for changes by any process.
  package func watch() throws(PhotoLibraryError) -> DirectoryWatch {
    try librarySystem(place.path) { () throws(SystemCallError) in try DirectoryWatch(place.signalDirectory) }
  }

  // MARK: - Reading

  /// Returns a page of the assets that a reader may see, newest first, and a token for the next page, or
  /// `nil` if there is none.
  ///
  /// `after` is such a token, or the ID of an asset.
  package func list(
    for reader: PhotoReader,
    after: String? = nil,
    atMost limit: Int
  ) throws(PhotoLibraryError) -> (assets: [Asset], next: String?) {
    guard reader.reading != .nothing else { return ([], nil) }
    var position: AssetPosition?
    if let after {
      position = AssetPosition(after)
      if position == nil { position = try index.position(of: after) }
      guard position != nil else { throw .noSuchAsset(after) }
    }
    // One additional asset shows whether there is another page.
    let found = try index.page(after: position, for: reader, atMost: limit + 1)
    guard found.count > limit, let last = found.prefix(limit).last else { return (found, nil) }
    return (Array(found.prefix(limit)), AssetPosition(last).text)
  }

  /// Returns an asset that a reader may see.
  package func asset(_ id: String, for reader: PhotoReader) throws(PhotoLibraryError) -> Asset {
    guard reader.reading != .nothing, let asset = try index.asset(id, for: reader) else {
      throw .noSuchAsset(id)
    }
    return asset
  }

  /// Opens the file of an asset for reading.
  package func open(_ asset: Asset) throws(PhotoLibraryError) -> Descriptor {
    guard let file = try tree.openFile(asset.path) else {
      throw .fileMissing(asset: asset.id, path: "\(place.path)/\(asset.path)")
    }
    return file
  }

  /// Returns the path of the file of an asset.
  package func filePath(_ asset: Asset) -> String { "\(place.path)/\(asset.path)" }

  /// Returns the assets that a session has added, oldest first.
  package func added(by session: String) throws(PhotoLibraryError) -> [Asset] { try index.added(by: session) }

  /// Returns a fingerprint of the assets that a reader may see, by which a change can be detected.
  package func visible(to reader: PhotoReader) throws(PhotoLibraryError) -> AssetSetFingerprint {
    try index.visible(to: reader)
  }

  /// Returns a number that changes whenever another value or process has changed the library.
  package func version() throws(PhotoLibraryError) -> Int64 { try index.version() }

  // MARK: - Selections

  /// A change of a selection.
  package enum SelectionChange: Hashable, Sendable {
    /// The assets are added to the selection.
    case add
    /// The assets are removed from the selection.
    case remove
    /// The assets replace the selection.
    case replace
  }

  /// Changes the assets that an app with limited permission may see. If an asset does not exist, nothing is
  /// changed.
  package func select(
    _ ids: [String],
    for app: String,
    _ change: SelectionChange
  ) throws(PhotoLibraryError) {
    try index.transaction { () throws(PhotoLibraryError) in
      for id in ids { _ = try asset(id, for: .user) }
      if change == .replace { try index.clearSelection(of: app) }
      for id in ids { try index.select(id, for: app, change != .remove) }
    }
    signalChange()
  }

  /// Returns the IDs of the assets that are selected for an app, oldest first.
  package func selected(for app: String) throws(PhotoLibraryError) -> [String] {
    try index.selected(for: app)
  }

  // MARK: - Removing

  /// Deletes an asset and its file.
  package func delete(_ asset: Asset) throws(PhotoLibraryError) {
    try index.transaction { () throws(PhotoLibraryError) in
      // Another process may have deleted the asset.
      _ = try self.asset(asset.id, for: .user)
      try index.markDeleting(asset.id)
      try index.note(AssetWork(owner: ownerName, source: nil), for: asset.id)
    }
    try observe(.leaving)
    try tree.remove(asset.path)
    try observe(.removed)
    try index.delete(asset.id)
    signalChange()
  }
}
