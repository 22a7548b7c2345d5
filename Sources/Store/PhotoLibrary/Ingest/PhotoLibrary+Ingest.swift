// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// A file to be added as an asset.
package struct Ingest: Sendable {
  /// The handling of the source file when the asset is visible.
  package enum Source: Hashable, Sendable {
    /// The file is kept.
    case keep
    /// The file is removed.
    case remove
  }

  /// The absolute path of the directory that contains the file, by which recovery finds the file.
  package var directory: String
  /// The path of the file, relative to `directory`.
  package var path: String
  /// The display name, or `nil` to use the file name.
  package var title: String?
  /// The media type, or `nil` to derive it from the file name.
  package var mediaType: PhotoMediaType?
  /// The ID of the app that adds the file.
  package var app: String
  /// The session that adds the file, or `nil` for an import.
  package var session: String?
  /// The handling of the source file.
  package var source: Source
  /// The maximum size in bytes.
  package var limit: Int64
  /// The creation time in milliseconds since 1970, or `nil` for the current time.
  package var createdAt: Int64?

  /// Creates a description of a file.
  package init(
    directory: String,
    path: String,
    title: String? = nil,
    mediaType: PhotoMediaType? = nil,
    app: String,
    session: String? = nil,
    source: Source = .keep,
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

  /// Returns the new asset, without a path.
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
  /// Adds a file below an open directory. When the call returns, the asset is durable and visible to
  /// authorized readers. If it throws, there is no asset and the file is unchanged.
  ///
  /// The steps are those of ``IngestStep``. A crash between any two of them is recovered when the library is
  /// opened next.
  package func add(
    _ ingest: Ingest,
    in directory: borrowing Descriptor
  ) throws(PhotoLibraryError) -> Asset {
    let source = try SourceFile.open(ingest.path, in: directory, limit: ingest.limit)
    try checkSpace(source.status.size)
    var asset = ingest.asset(bytes: source.status.size)
    let work = AssetWork(
      owner: ownerName,
      source: ingest.source == .keep
        ? nil : AssetWork.Source(directory: ingest.directory, inode: source.status.inode)
    )
    try reserve(&asset, work)
    do {
      try observe(.reserved)
      try store(source, &asset)
    } catch {
      // A simulated crash must not clean up.
      if case .stopped = error { throw error }
      undo(asset)
      throw error
    }
    // From here on the asset is visible, and recovery handles later failures.
    signalChange()
    try observe(.committed)
    if work.source != nil {
      do {
        try SourceRemoval.remove(ingest.path, inode: source.status.inode, in: directory)
      } catch {
        // Without this, the file would be both in the library and in the migrated content.
        try delete(asset)
        throw .system(error)
      }
    }
    try observe(.sourceRemoved)
    try? index.finish(asset.id)
    return asset
  }

  /// Throws before data is written if the file system lacks space, so that a full disk stays usable.
  private func checkSpace(_ bytes: Int64) throws(PhotoLibraryError) {
    let free = try librarySystem(place.path) { () throws(SystemCallError) in
      try FileSystem.freeSpace(place.path)
    }
    guard UInt64(bytes) < free else { throw .noSpace(path: place.path) }
  }

  /// Reserves a path that neither the index nor the directory contains.
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

  /// Copies the data into the library and makes the asset visible.
  private func store(_ source: borrowing SourceFile, _ asset: inout Asset) throws(PhotoLibraryError) {
    let file = try tree.makeIncoming(asset.id)
    try source.copy(to: file)
    try observe(.copied)
    let status = try tree.secureIncoming(file)
    try index.stage(asset.id, inode: status.inode, modified: status.modified)
    try observe(.staged)
    while try !tree.moveIntoPlace(asset.id, at: asset.path) {
      // Another process has created a file with the reserved path.
      asset.path = try freePath(for: asset)
      try index.move(asset.id, to: asset.path)
    }
    try observe(.placed)
    let id = asset.id
    try index.transaction { () throws(PhotoLibraryError) in try index.commit(id) }
  }

  /// Undoes a failed addition. Recovery handles what cannot be undone now.
  private func undo(_ asset: Asset) {
    do throws(PhotoLibraryError) {
      guard let placed = try index.placed(asset.id) else { return }
      if placed.inode != 0, try tree.status(of: asset.path)?.inode == placed.inode {
        try tree.remove(asset.path)
      }
      try tree.removeIncoming(asset.id)
      try index.delete(asset.id)
    } catch { return }
  }
}

/// Removes a file from a session when its data is in the library.
enum SourceRemoval {
  /// Removes the file at a path if it is still the copied file. A file that the extension has put at the same
  /// path is kept, and so is a file behind a symbolic link.
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
      // The removal must be durable: after a power failure, the file must not reappear when no work is
      // pending. This includes a file that is missing already, because the process that removed it may have
      // died before the fsync. The migration synchronizes the directory again.
      try? opened.synchronize()
    } catch  where Self.isElsewhere(error.errno) {
      return
    }
  }

  /// Returns whether the extension has moved the directory or replaced it.
  private static func isElsewhere(_ errno: Errno) -> Bool {
    [.noSuchFile, .notADirectory, .tooManyLinks, .crossDevice].contains(errno)
  }
}
