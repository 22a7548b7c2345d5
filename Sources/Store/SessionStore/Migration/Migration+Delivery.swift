// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// The steps after the record.
extension Migration {
  /// Moves the record to the app container.
  func publish() throws(StoreError) {
    let (old, new) = (places.recordFile, app.record(places.id))
    let directory = app.recordsDirectory
    guard try exists(old) else { return try synchronizeEarlierMove(directory) }
    do {
      // Without a log entry, recovery could not identify the reserved file as the record if a power failure
      // reverted its name.
      if logging.fault != nil { try FileSystem.synchronizeDirectory(places.directory) }
      try FileSystem.moveFile(old, to: new, .replace)
      try FileSystem.synchronizeDirectory(directory)
    } catch  where error.errno == .crossDevice {
      try copyRecord()
    } catch { throw .system(error) }
  }

  /// Makes an earlier move durable. The process that made it may have died before it was durable, and later
  /// steps rely on it.
  private func synchronizeEarlierMove(_ directories: String...) throws(StoreError) {
    guard provenance == .recovery else { return }
    try system { () throws(SystemCallError) in
      for directory in directories { try FileSystem.synchronizeDirectory(directory) }
    }
  }

  /// Moves the content to the app container with one rename, or by a copy if the container is on another file
  /// system.
  func deliver() throws(StoreError) {
    if try exists(places.copiedMark) { return try deliverCopy() }
    let (old, new) = (places.contentDirectory, app.content(places.id))
    guard record.content.delivered else { return }
    guard try exists(old) else { return try synchronizeEarlierMove(app.contentDirectory) }
    do {
      try FileSystem.rename(old, to: new, .noReplace)
      // Synchronize the target directory first: if only one of two names is durable, it must be the new one.
      // The removal of the old name becomes durable with the journal of the next step, which is in the same
      // directory.
      try FileSystem.synchronizeDirectory(app.contentDirectory)
    } catch  where error.errno == .fileExists {
      throw .alreadyExists(path: new)
    } catch  where error.errno == .crossDevice || error.errno == .busy {
      // The container is on another file system (`EXDEV`), or the content directory is a mount point
      // (`EBUSY`).
      try copyContent()
      try deliverCopy()
    } catch { throw .system(error) }
  }

  /// Moves the pending delivery into the mailbox of the app. A single rename ensures that the app receives it
  /// once.
  func notifyApp() throws(StoreError) {
    if let told = try notifyAppFromCopy() {
      delivery = told
      return
    }
    let directory = app.activitiesDirectory
    guard let delivery = try PendingDelivery.read(places) else {
      return try synchronizeEarlierMove(places.directory, directory)
    }
    let (old, new) = (places.deliveryFile, "\(directory)/\(delivery.fileName)")
    do {
      try FileSystem.moveFile(old, to: new, .noReplace)
      // Synchronize the old directory first: otherwise btrfs could keep both names after a power failure, and
      // the app would receive a delivery again that it had already taken.
      try FileSystem.synchronizeDirectory(places.directory)
      try FileSystem.synchronizeDirectory(directory)
    } catch  where error.errno == .crossDevice {
      try copyDelivery()
      _ = try notifyAppFromCopy()
    } catch { throw .system(error) }
    self.delivery = delivery
  }

  /// Moves the session directory, with lock and journal, to the trash. After a crash, recovery can finish the
  /// deletion.
  func moveToTrash() throws(StoreError) {
    guard try exists(places.directory) else { return }
    if let fault = logging.fault { throw fault }
    if case .erasing = journal.phase {
      // The receipt is already in the journal.
    } else if let receipt = try receipt() {
      journal.phase = .erasing(receipt)
      try journal.write(to: places.journalFile)
    } else {
      // Files that were moved to the app must not keep their old names.
      try system { () throws(SystemCallError) in try FileSystem.synchronizeDirectory(places.directory) }
    }
    // No synchronization is needed: recovery finds the journal under either name, and both have the same
    // meaning.
    try system { () throws(SystemCallError) in
      try FileSystem.rename(places.directory, to: places.trashedDirectory, .noReplace)
    }
  }

  /// Counts the files of the extension that were not delivered and are about to be erased.
  ///
  /// Other files of the directory belong to the host and are not counted.
  ///
  /// - Returns: The receipt, or `nil` if there are no such files.
  private func receipt() throws(StoreError) -> SessionRecord.Erasure? {
    var leftover: (files: Int64, bytes: Int64) = (0, 0)
    for directory in [places.contentDirectory, places.containerDirectory] where try exists(directory) {
      let usage = try ContentMeter.measure(directory)
      leftover = (leftover.files + usage.files, saturatingSum(leftover.bytes, usage.apparentBytes))
    }
    let log = try system { () throws(SystemCallError) in try FileSystem.status(places.logFile) }
    if let log, log.size > 0 { leftover = (leftover.files + 1, saturatingSum(leftover.bytes, log.size)) }
    guard leftover.files > 0 else { return nil }
    return SessionRecord.Erasure(
      what: Self.erasureTarget,
      files: leftover.files,
      bytes: leftover.bytes,
      at: WallClock.milliseconds
    )
  }

  /// Deletes the entries of the trashed directory except lock and journal. The rest of a large tree stays in
  /// the trash.
  ///
  /// If no receipt is needed, ``remove()`` deletes everything.
  func erase() throws(StoreError) {
    guard case .erasing = journal.phase else { return }
    let buried = places.trashedDirectory
    guard try exists(buried) else { return }
    let names = try system { () throws(SystemCallError) in try FileSystem.names(in: buried) }
    let trash = try Trash(places.root)
    for name in names where name != "lock" && name != "journal.json" {
      try trash.discard("\(buried)/\(name)", .partial)
    }
  }

  /// Adds the receipt of the erasure to the published record once.
  ///
  /// No receipt is added if the app has removed the record, or if there were no files to erase.
  func recordErasure() throws(StoreError) {
    guard case .erasing(let receipt) = journal.phase else { return }
    let changed = try RecordFile.update(app, places.id, written: written) { record in
      if !record.erased.contains(where: { $0.what == receipt.what }) { record.erased.append(receipt) }
    }
    if let changed { record = changed }
  }

  /// Deletes the rest of the session directory, or keeps lock and journal for the next session.
  ///
  /// The directory is renamed first, so that no process that knows its name creates files in it. It can still
  /// contain many directories, which are not counted in receipts; the rest of a large tree stays in the
  /// trash.
  func remove() throws(StoreError) {
    // The directory of a session whose host died is always deleted.
    if provenance == .host, SpareDirectory(places.root).keep(places, journal) { return }
    try Trash(places.root).discard(places.trashedDirectory, .partial)
  }
}
