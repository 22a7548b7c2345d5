// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// A file that shall become an asset.
package struct Ingest: Sendable {
  /// What becomes of the file when the asset is there.
  package enum Source: Hashable, Sendable {
    /// It stays where it is.
    case stays
    /// It is removed.
    case isRemoved
  }

  /// The absolute path of the directory that it lies in or below, by which recovery finds it again.
  package var directory: String
  /// Its path below that directory.
  package var path: String
  /// What people shall call it; nil: its name.
  package var title: String?
  /// What it is; nil: what the ending of its name promises.
  package var mediaType: PhotoMediaType?
  /// The app that it comes from.
  package var app: String
  /// The session that it comes from; nil: none.
  package var session: String?
  /// What becomes of the file.
  package var source: Source
  /// The most bytes that it may have.
  package var limit: Int64
  /// When it was made, in milliseconds since 1970; nil: now.
  package var createdAt: Int64?

  /// Describes a file.
  package init(
    directory: String,
    path: String,
    title: String? = nil,
    mediaType: PhotoMediaType? = nil,
    app: String,
    session: String? = nil,
    source: Source = .stays,
    limit: Int64 = .max,
    createdAt: Int64? = nil
  ) {
    self.directory = directory
    self.path = path
    self.title = title
    self.mediaType = mediaType
    self.app = app
    self.session = session
    self.source = source
    self.limit = limit
    self.createdAt = createdAt
  }

  /// The asset that it becomes, as yet without a place.
  fileprivate func asset(bytes: Int64) -> Asset {
    let name = FileSystem.lastComponent(path)
    let title = AssetName.title(title, fallback: name)
    return Asset(
      id: AssetID.random(),
      title: title,
      mediaType: mediaType ?? PhotoMediaType(fileName: title),
      path: "",
      bytes: bytes,
      createdAt: createdAt ?? WallClock.milliseconds,
      app: app,
      session: session,
      sourcePath: session == nil ? nil : path
    )
  }
}

extension PhotoLibrary {
  /// Adds a file below an open directory. When this returns the asset is durable and everybody who may sees it; if it
  /// throws, there is no asset and the file is where it was.
  ///
  /// The steps are those of ``IngestStep``; a crash between any two of them is settled when the library is opened next.
  package func add(
    _ ingest: Ingest,
    in directory: borrowing Descriptor
  ) throws(PhotoLibraryError) -> Asset {
    let source = try SourceFile.open(ingest.path, in: directory, limit: ingest.limit)
    try checkRoom(source.status.size)
    var asset = ingest.asset(bytes: source.status.size)
    let work = AssetWork(
      owner: ownerName,
      source: ingest.source == .stays
        ? nil : AssetWork.Source(directory: ingest.directory, inode: source.status.inode)
    )
    try reserve(&asset, work)
    do {
      try observe(.reserved)
      try bring(source, &asset)
    } catch {
      // A crash tidies up nothing.
      if case .stopped = error { throw error }
      undo(asset)
      throw error
    }
    // From here on it is there, whatever happens: what fails below is settled by recovery.
    signalChange()
    try observe(.committed)
    if work.source != nil {
      do {
        try SourceRemoval.remove(ingest.path, inode: source.status.inode, in: directory)
      } catch {
        // Not both: the file would be handed over as well.
        try delete(asset)
        throw .system(error)
      }
    }
    try observe(.taken)
    try? index.finish(asset.id)
    return asset
  }

  /// Refuses a file for which there is no room before anything is written, so that a full disk stays usable.
  private func checkRoom(_ bytes: Int64) throws(PhotoLibraryError) {
    let free = try librarySystem(place.path) { () throws(SystemCallError) in
      try FileSystem.freeSpace(place.path)
    }
    guard UInt64(bytes) < free else { throw .noSpace(path: place.path) }
  }

  /// Takes a name that neither the index nor the directory knows.
  private func reserve(_ asset: inout Asset, _ work: AssetWork) throws(PhotoLibraryError) {
    var wanted = asset
    try index.transaction { () throws(PhotoLibraryError) in
      wanted.path = try freePath(for: wanted)
      try index.reserve(wanted, work)
    }
    asset = wanted
  }

  private func freePath(for asset: Asset) throws(PhotoLibraryError) -> String {
    var number = 1
    while true {
      let path = AssetName.path(asset.title, createdAt: asset.createdAt, number: number)
      if try !index.hasPath(path), try tree.status(of: path) == nil { return path }
      number += 1
    }
  }

  /// Brings the bytes into the library and says that the asset is there.
  private func bring(_ source: borrowing SourceFile, _ asset: inout Asset) throws(PhotoLibraryError) {
    let file = try tree.makeIncoming(asset.id)
    try source.copy(to: file)
    try observe(.copied)
    let status = try tree.secureIncoming(file)
    try index.stage(asset.id, inode: status.inode, modified: status.modified)
    try observe(.staged)
    while try !tree.settle(asset.id, at: asset.path) {
      // Since the name was taken somebody has put another file there.
      asset.path = try freePath(for: asset)
      try index.move(asset.id, to: asset.path)
    }
    try observe(.placed)
    let id = asset.id
    try index.transaction { () throws(PhotoLibraryError) in try index.commit(id) }
  }

  /// Undoes what has failed. What cannot be undone now, recovery does.
  private func undo(_ asset: Asset) {
    do throws(PhotoLibraryError) {
      guard let placed = try index.placed(asset.id) else { return }
      if placed.inode != 0, try tree.status(of: asset.path)?.inode == placed.inode {
        try tree.remove(asset.path)
      }
      try tree.removeIncoming(asset.id)
      try index.forget(asset.id)
    } catch { return }
  }
}

/// Takes a file out of a session when its bytes are in the library.
enum SourceRemoval {
  /// Removes the file with this path, if it is still the one that was copied. A file that the extension has put in its
  /// place meanwhile is another one, and stays; so does what cannot be reached any more without a link.
  static func remove(
    _ path: String,
    inode: UInt64,
    in directory: borrowing Descriptor
  ) throws(SystemCallError) {
    let parent = FileSystem.directoryName(path)
    let name = Array(FileSystem.lastComponent(path).utf8)
    do {
      let opened = try FileSystem.openBeneath(directory, parent, [.directory])
      if let status = try opened.status(of: name), status.inode == inode, status.kind == .regular {
        try opened.unlinkEntry(name)
      }
      // Durable: after a loss of power the file must not be there again, once recovery has nothing to do any more. Also
      // if it is gone already: whoever has removed it may have died before this. The hand-over makes it durable once more.
      try? opened.synchronize()
    } catch  where Self.isElsewhere(error.errno) {
      return
    }
  }

  /// Whether the extension has moved the directory away, or put something else in its place.
  private static func isElsewhere(_ errno: Errno) -> Bool {
    [.noSuchFile, .notADirectory, .tooManyLinks, .crossDevice].contains(errno)
  }
}
