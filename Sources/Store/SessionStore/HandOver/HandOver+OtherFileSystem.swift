// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives

/// What the steps do where the app's container is on another file system than the sessions, or something is mounted over
/// a session's content, so that nothing can be moved there by renaming.
///
/// A copy is made where nobody looks, in `.incoming` of the container, and made durable. Then a mark in the session's
/// directory says that it is whole, and with one rename it appears. After a crash without the mark the copy is made anew;
/// with the mark what is in `.incoming` is moved, and nothing there means that it was. The directory itself stays: other
/// sessions may be about to use it.
extension HandOver {
  private var incomingContent: String { "\(app.incomingDirectory)/\(places.id)" }
  private var incomingDelivery: String { "\(app.incomingDirectory)/\(places.id).json" }

  /// Copies the content to the app's file system, where it does not appear yet.
  func copyContent() throws(StoreError) {
    let incoming = app.incomingDirectory
    try StateRoot.prepareDirectory(incoming)
    // What an interrupted copy has left.
    try Trash(at: incoming).delete("\(places.id)")
    guard let content = try openContent() else { return }
    // What was set aside is of no use on the other file system, and nothing is copied twice for it.
    _ = try SpaceReserve(places).release()
    do throws(StoreError) {
      try ContentCopy.copy(content, to: incomingContent)
    } catch {
      // The space is needed for the next attempt.
      _ = try? Trash(at: incoming).delete("\(places.id)")
      if case .system(let error) = error, error.errno.isFull { throw .noSpace(path: incoming) }
      throw error
    }
    try system { () throws(SystemCallError) in
      try FileSystem.synchronizeDirectory(incoming)
      try FileSystem.open(places.copiedMark, [.write, .create, .noFollow]).synchronize()
      try FileSystem.synchronizeDirectory(places.directory)
    }
  }

  /// Lets a finished copy appear, and removes what it was made of.
  func deliverCopy() throws(StoreError) {
    let new = app.content(places.id)
    if try exists(incomingContent) {
      do {
        try FileSystem.rename(incomingContent, to: new, .noReplace)
      } catch  where error.errno == .fileExists {
        throw .alreadyThere(path: new)
      } catch { throw .system(error) }
    }
    // The new name first, as with content that is not copied; also where somebody else has made the move, and died.
    try system { () throws(SystemCallError) in try FileSystem.synchronizeDirectory(app.contentDirectory) }
    do { try FileSystem.synchronizeDirectory(app.incomingDirectory) } catch  where error.errno == .noSuchFile
    {
      // Nothing that is still to come is in a directory that is gone.
    } catch { throw .system(error) }
    try removeOriginal()
  }

  /// Deletes content that was copied; where it was mounted, all that is in it, and the mount.
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

  /// How often unmounting is tried, ten milliseconds apart.
  private static var unmountAttempts: Int { 200 }

  /// Removes a mount. A process that is just being launched has open what its parent had, until it executes its program.
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

  /// Deletes all that is in a directory. It is not open any more afterwards, or what is mounted there would be in use.
  private func empty(_ path: String) throws(StoreError) {
    let trash = try Trash(at: path)
    for name in try system({ () throws(SystemCallError) in try FileSystem.names(in: path) }) {
      try trash.delete(name)
    }
  }

  /// Copies the record to the app. It appears whole, and if that is done twice it is the same.
  func copyRecord() throws(StoreError) {
    try system { () throws(SystemCallError) in
      let bytes = try FileSystem.contents(places.recordFile, limit: JSONLimits.record.bytes) ?? []
      try FileSystem.replaceContents(app.record(places.id), with: bytes)
      try FileSystem.unlink(places.recordFile)
      try FileSystem.synchronizeDirectory(places.directory)
    }
  }

  /// Copies what the app is to be told to its file system, where nobody sees it yet.
  func copyDelivery() throws(StoreError) {
    try StateRoot.prepareDirectory(app.incomingDirectory)
    try system { () throws(SystemCallError) in
      let bytes = try FileSystem.contents(places.deliveryFile) ?? []
      try FileSystem.replaceContents(incomingDelivery, with: bytes)
      try FileSystem.rename(places.deliveryFile, to: places.stagedDeliveryFile, .replace)
      try FileSystem.synchronizeDirectory(places.directory)
    }
  }

  /// Tells the app what was copied; nil if nothing was.
  func tellCopy() throws(StoreError) -> AppDelivery? {
    guard let delivery = try PendingDelivery.read(places.stagedDeliveryFile) else { return nil }
    let isPending = try exists(incomingDelivery)
    let directory = app.activitiesDirectory
    try system { () throws(SystemCallError) in
      if isPending {
        try FileSystem.moveFile(incomingDelivery, to: "\(directory)/\(delivery.fileName)", .noReplace)
        // The old name first, as with a message that is not copied.
        try FileSystem.synchronizeDirectory(app.incomingDirectory)
      }
      // Also where somebody else has made the move, and died.
      try FileSystem.synchronizeDirectory(directory)
      try FileSystem.unlink(places.stagedDeliveryFile)
    }
    return delivery
  }
}
