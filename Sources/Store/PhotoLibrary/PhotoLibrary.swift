// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// A person's photo library: files that people find by year, month and name, and an index that knows what they are.
///
/// A value of it belongs to one thread at a time; any number of them, in any number of processes, use one library.
package final class PhotoLibrary {
  /// Where the library is.
  package let place: LibraryPlace
  /// What this value has finished or undone of what others had left when it was made.
  package let recovered: RecoveredWork
  let index: AssetIndex
  let tree: LibraryTree
  private let owner: OwnerHolder
  /// Called after each step; what it throws is taken for a crash. For tests.
  let observe: (IngestStep) throws(PhotoLibraryError) -> Void

  /// Keeps an owner, and ends it in order.
  private final class OwnerHolder {
    let name: String
    private var owner: LibraryOwner?

    /// Takes an owner over.
    init(_ owner: consuming LibraryOwner) {
      name = owner.name
      self.owner = consume owner
    }

    deinit { owner.take()?.leave() }
  }

  /// The name of this value among those who use the library.
  var ownerName: String { owner.name }

  /// Opens a library, making it if there is none, and finishes what crashes have interrupted.
  package init(
    _ place: LibraryPlace,
    observe: @escaping (IngestStep) throws(PhotoLibraryError) -> Void = { _ throws(PhotoLibraryError) in }
  ) throws(PhotoLibraryError) {
    self.place = place
    self.observe = observe
    try place.prepare()
    tree = try LibraryTree(place)
    // Only one at a time sets the index up, and only one finishes what others have left.
    let settling = try librarySystem(place.path) { () throws(SystemCallError) in
      try FileLock.lock(place.settlingFile)
    }
    index = try AssetIndex(place.indexFile)
    recovered = try Settlement(place: place, index: index, tree: tree, observe: observe).run()
    owner = OwnerHolder(try LibraryOwner.make(in: place))
    // Whoever died between its making and its removal has left it; a change too many is none too few.
    try? FileSystem.unlink(place.signalFile)
    _ = settling
    if recovered.changedAnything { signalChange() }
  }

  /// Tells everybody who watches that the library has changed.
  func signalChange() {
    // A name comes and goes; several who do so at once still make at least one event after the last change. Whoever
    // watches and hears nothing, because this failed, sees the change with the next one.
    guard (try? FileSystem.open(place.signalFile, [.write, .create, .noFollow])) != nil else { return }
    try? FileSystem.unlink(place.signalFile)
  }

  /// Begins to watch for changes by anybody.
  package func watch() throws(PhotoLibraryError) -> DirectoryWatch {
    try librarySystem(place.path) { () throws(SystemCallError) in try DirectoryWatch(place.signalDirectory) }
  }

  // MARK: - Reading

  /// A page of the assets that a reader may see, newest first, and what to ask for next; nil: that was the last.
  ///
  /// `after` is such a word, or the id of an asset.
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
    // One more than was asked for tells whether there are more.
    let found = try index.page(after: position, for: reader, atMost: limit + 1)
    guard found.count > limit, let last = found.prefix(limit).last else { return (found, nil) }
    return (Array(found.prefix(limit)), AssetPosition(last).text)
  }

  /// An asset that a reader may see.
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

  /// The file of an asset, for people.
  package func filePath(_ asset: Asset) -> String { "\(place.path)/\(asset.path)" }

  /// What a session has added, oldest first.
  package func added(by session: String) throws(PhotoLibraryError) -> [Asset] { try index.added(by: session) }

  /// What a reader may see as a whole, to be compared with what they could see before.
  package func visible(to reader: PhotoReader) throws(PhotoLibraryError) -> VisibleAssets {
    try index.visible(to: reader)
  }

  /// A number that is another whenever somebody else has changed the library; what this value changes does not count.
  package func version() throws(PhotoLibraryError) -> Int64 { try index.version() }

  // MARK: - Selections

  /// How a selection changes.
  package enum SelectionChange: Hashable, Sendable {
    /// These are added to it.
    case add
    /// These are taken away from it.
    case remove
    /// These are it from now on.
    case replace
  }

  /// Changes what an app may see whose permission is limited. One asset that is not there changes nothing.
  package func select(
    _ ids: [String],
    for app: String,
    _ change: SelectionChange
  ) throws(PhotoLibraryError) {
    try index.transaction { () throws(PhotoLibraryError) in
      for id in ids { _ = try asset(id, for: .person) }
      if change == .replace { try index.clearSelection(of: app) }
      for id in ids { try index.select(id, for: app, change != .remove) }
    }
    signalChange()
  }

  /// The ids of what is selected for an app, oldest first.
  package func selected(for app: String) throws(PhotoLibraryError) -> [String] {
    try index.selected(for: app)
  }

  // MARK: - Removing

  /// Deletes an asset and its file.
  package func delete(_ asset: Asset) throws(PhotoLibraryError) {
    try index.transaction { () throws(PhotoLibraryError) in
      // Somebody else may have been faster.
      _ = try self.asset(asset.id, for: .person)
      try index.leave(asset.id)
      try index.note(AssetWork(owner: ownerName, source: nil), for: asset.id)
    }
    try observe(.leaving)
    try tree.remove(asset.path)
    try observe(.removed)
    try index.forget(asset.id)
    signalChange()
  }
}
