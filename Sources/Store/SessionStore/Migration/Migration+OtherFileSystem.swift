// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives

/// Delivery by copying, for an app container on another file system, or a content directory that is a mount
/// point.
///
/// The copy is made durable in the container's `.incoming` directory, which apps do not read. Then a marker
/// file in the session directory records that the copy is complete, and a rename delivers it.
///
/// After a crash without the marker, the copy is made again. With the marker, a copy in `.incoming` is
/// delivered; if there is none, it has already been delivered. `.incoming` itself is not removed, because
/// other sessions may be about to use it.
extension Migration {
  private var incomingContent: String { "\(app.incomingDirectory)/\(places.id)" }
  private var incomingDelivery: String { "\(app.incomingDirectory)/\(places.id).json" }

  /// Copies the content to `.incoming` on the app's file system.
  func copyContent() throws(StoreError) {
    let incoming = app.incomingDirectory
    try StateRoot.prepareDirectory(incoming)
    // Remove the result of an interrupted copy.
    try Trash(at: incoming).delete("\(places.id)")
    guard let content = try openContent() else { return }
    // The reserved space is useless on the other file system. Releasing it first avoids a second copy.
    _ = try SpaceReserve(places).release()
    do throws(StoreError) {
      try ContentCopy.copy(content, to: incomingContent)
    } catch {
      // The next attempt needs the space.
      _ = try? Trash(at: incoming).delete("\(places.id)")
      if case .system(let error) = error, error.errno.isOutOfSpace { throw .noSpace(path: incoming) }
      throw error
    }
    try system { () throws(SystemCallError) in
      try FileSystem.synchronizeDirectory(incoming)
      try FileSystem.open(places.copiedMark, [.write, .create, .noFollow]).synchronize()
      try FileSystem.synchronizeDirectory(places.directory)
    }
  }

  /// Delivers a complete copy and removes the original.
  func deliverCopy() throws(StoreError) {
    let new = app.content(places.id)
    if try exists(incomingContent) {
      do {
        try FileSystem.rename(incomingContent, to: new, .noReplace)
      } catch  where error.errno == .fileExists {
        throw .alreadyExists(path: new)
      } catch { throw .system(error) }
    }
    // Synchronize the target directory first. This is also needed if an earlier process made the rename and
    // died.
    try system { () throws(SystemCallError) in try FileSystem.synchronizeDirectory(app.contentDirectory) }
    do { try FileSystem.synchronizeDirectory(app.incomingDirectory) } catch  where error.errno == .noSuchFile
    {
      // No undelivered copy can be in a directory that does not exist.
    } catch { throw .system(error) }
    try removeOriginal()
  }

  /// Deletes the original of copied content. If it is a mount point, its entries are deleted and the file
  /// system is unmounted.
  private func removeOriginal() throws(StoreError) {
    let path = places.contentDirectory
    guard try exists(path) else { return }
    do throws(StoreError) {
      return try Trash(places.root).discard(path)
    } catch {
      guard case .system(let error) = error, error.errno == .busy else { throw error }
    }
    try empty(path)
    try unmount(path)
    try Trash(places.root).discard(path)
  }

  /// The number of attempts to unmount, at intervals of 10 ms.
  private static var unmountAttempts: Int { 200 }

  /// Unmounts a file system. It can be busy for a moment: a forked child keeps the open files of its parent
  /// until it calls execve(2).
  private func unmount(_ path: String) throws(StoreError) {
    for _ in 0..<Self.unmountAttempts {
      do {
        return try FileSystem.unmount(path)
      } catch  where error.errno == .busy {
        MonotonicClock.sleep(milliseconds: 10)
      } catch { break }
    }
    throw .mountedInside(path: path)
  }

  /// Deletes the entries of a directory. The directory is closed on return, because an open one would keep
  /// the mount busy.
  private func empty(_ path: String) throws(StoreError) {
    let trash = try Trash(at: path)
    for name in try system({ () throws(SystemCallError) in try FileSystem.names(in: path) }) {
      try trash.delete(name)
    }
  }

  /// Copies the record to the app container. The replacement is atomic and idempotent.
  func copyRecord() throws(StoreError) {
    try system { () throws(SystemCallError) in
      let bytes = try FileSystem.contents(places.recordFile, limit: JSONLimits.record.bytes) ?? []
      try FileSystem.replaceContents(app.record(places.id), with: bytes)
      try FileSystem.unlink(places.recordFile)
      try FileSystem.synchronizeDirectory(places.directory)
    }
  }

  /// Copies the pending delivery to `.incoming` on the app's file system.
  func copyDelivery() throws(StoreError) {
    try StateRoot.prepareDirectory(app.incomingDirectory)
    try system { () throws(SystemCallError) in
      let bytes = try FileSystem.contents(places.deliveryFile) ?? []
      try FileSystem.replaceContents(incomingDelivery, with: bytes)
      try FileSystem.rename(places.deliveryFile, to: places.stagedDeliveryFile, .replace)
      try FileSystem.synchronizeDirectory(places.directory)
    }
  }

  /// Delivers a copied message to the app.
  ///
  /// - Returns: The delivery, or `nil` if none was copied.
  func notifyAppFromCopy() throws(StoreError) -> AppDelivery? {
    guard let delivery = try PendingDelivery.read(places.stagedDeliveryFile) else { return nil }
    let isPending = try exists(incomingDelivery)
    let directory = app.activitiesDirectory
    try system { () throws(SystemCallError) in
      if isPending {
        try FileSystem.moveFile(incomingDelivery, to: "\(directory)/\(delivery.fileName)", .noReplace)
        // Synchronize the old directory first, as for a delivery that is not copied.
        try FileSystem.synchronizeDirectory(app.incomingDirectory)
      }
      // This is also needed if an earlier process made the rename and died.
      try FileSystem.synchronizeDirectory(directory)
      try FileSystem.unlink(places.stagedDeliveryFile)
    }
    return delivery
  }
}
