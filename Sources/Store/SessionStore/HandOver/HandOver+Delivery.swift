// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// The steps from the record to the end.
extension HandOver {
  /// Moves the record to the app.
  func publish() throws(StoreError) {
    let (old, new) = (places.recordFile, app.record(places.id))
    let directory = app.recordsDirectory
    guard try exists(old) else { return try synchronizeAfterAnother(directory) }
    do {
      // No line in the log says which file it is, should its name be lost.
      if logging.fault != nil { try FileSystem.synchronizeDirectory(places.directory) }
      try FileSystem.moveFile(old, to: new, .replace)
      try FileSystem.synchronizeDirectory(directory)
    } catch  where error.errno == .crossDevice {
      try copyRecord()
    } catch { throw .system(error) }
  }

  /// Makes a move durable that is made already. Whoever made it may have died before it was, and the steps that follow
  /// rely on it.
  private func synchronizeAfterAnother(_ directories: String...) throws(StoreError) {
    guard provenance == .recovery else { return }
    try system { () throws(SystemCallError) in
      for directory in directories { try FileSystem.synchronizeDirectory(directory) }
    }
  }

  /// Moves the content to the app: one rename however much it is, unless the app is on another file system.
  func deliver() throws(StoreError) {
    if try exists(places.copiedMark) { return try deliverCopy() }
    let (old, new) = (places.contentDirectory, app.content(places.id))
    guard record.content.delivered else { return }
    guard try exists(old) else { return try synchronizeAfterAnother(app.contentDirectory) }
    do {
      try FileSystem.rename(old, to: new, .noReplace)
      // The new name first: if only one of the two is durable, the content must not be without any. That the old one
      // is gone becomes durable with the journal of the next step, in the same directory.
      try FileSystem.synchronizeDirectory(app.contentDirectory)
    } catch  where error.errno == .fileExists {
      throw .alreadyThere(path: new)
    } catch  where error.errno == .crossDevice || error.errno == .busy {
      // Another file system, or something is mounted there.
      try copyContent()
      try deliverCopy()
    } catch { throw .system(error) }
  }

  /// Moves what the app is to be told into its mailbox: one rename, so that it is told once.
  func tell() throws(StoreError) {
    if let told = try tellCopy() {
      delivery = told
      return
    }
    let directory = app.activitiesDirectory
    guard let delivery = try PendingDelivery.read(places) else {
      return try synchronizeAfterAnother(places.directory, directory)
    }
    let (old, new) = (places.deliveryFile, "\(directory)/\(delivery.fileName)")
    do {
      try FileSystem.moveFile(old, to: new, .noReplace)
      // The old name first: btrfs could keep it beside the new one otherwise, and the app would be told again of what it
      // has taken before recovery sees both.
      try FileSystem.synchronizeDirectory(places.directory)
      try FileSystem.synchronizeDirectory(directory)
    } catch  where error.errno == .crossDevice {
      try copyDelivery()
      _ = try tellCopy()
    } catch { throw .system(error) }
    self.delivery = delivery
  }

  /// Moves what is left to the trash, with lock and journal, so that the deletion can be finished after a crash.
  func bury() throws(StoreError) {
    guard try exists(places.directory) else { return }
    if let fault = logging.fault { throw fault }
    if case .erasing = journal.phase {
      // Counted already.
    } else if let receipt = try receipt() {
      journal.phase = .erasing(receipt)
      try journal.write(to: places.journalFile)
    } else {
      // What was moved from here to the app must not be under both names.
      try system { () throws(SystemCallError) in try FileSystem.synchronizeDirectory(places.directory) }
    }
    // Under either name recovery finds the journal, and both mean the same: nothing waits until the new one is durable.
    try system { () throws(SystemCallError) in
      try FileSystem.rename(places.directory, to: places.buriedDirectory, .noReplace)
    }
  }

  /// Counts what is about to be erased: all that the extension left and that did not reach the app. Nil if that is nothing:
  /// then there is nothing to keep for a receipt, neither here nor in the record.
  ///
  /// Whatever else is in the directory is the host's own.
  private func receipt() throws(StoreError) -> SessionRecord.Erasure? {
    var left: (files: Int64, bytes: Int64) = (0, 0)
    for directory in [places.contentDirectory, places.containerDirectory] where try exists(directory) {
      let usage = try ContentMeter.measure(directory)
      left = (left.files + usage.files, saturatingSum(left.bytes, usage.apparentBytes))
    }
    let log = try system { () throws(SystemCallError) in try FileSystem.status(places.logFile) }
    if let log, log.size > 0 { left = (left.files + 1, saturatingSum(left.bytes, log.size)) }
    guard left.files > 0 else { return nil }
    return SessionRecord.Erasure(
      what: Self.erasureName,
      files: left.files,
      bytes: left.bytes,
      at: WallClock.milliseconds
    )
  }

  /// Deletes everything in the buried directory but lock and journal; of what is much the rest waits in the trash. Where no
  /// receipt has to be written first, ``remove()`` does it all.
  func erase() throws(StoreError) {
    guard case .erasing = journal.phase else { return }
    let buried = places.buriedDirectory
    guard try exists(buried) else { return }
    let names = try system { () throws(SystemCallError) in try FileSystem.names(in: buried) }
    let trash = try Trash(places.root)
    for name in names where name != "lock" && name != "journal.json" {
      try trash.discard("\(buried)/\(name)", .beginning)
    }
  }

  /// Notes the erasure in the published record, once; an app that has removed the record needs none, nor does a session
  /// of which nothing was left.
  func acknowledge() throws(StoreError) {
    guard case .erasing(let receipt) = journal.phase else { return }
    let changed = try RecordFile.update(app, places.id, written: written) { record in
      if !record.erased.contains(where: { $0.what == receipt.what }) { record.erased.append(receipt) }
    }
    if let changed { record = changed }
  }

  /// Deletes lock and journal, and what else is left; or keeps lock and journal for the next session.
  ///
  /// By another name first, so that nobody who still knows the old one can make files in a directory that goes. Directories
  /// without a file are in no receipt, and there can be many: of what is much the rest waits in the trash.
  func remove() throws(StoreError) {
    // What died once is deleted.
    if provenance == .host, SpareDirectory(places.root).keep(places, journal) { return }
    try Trash(places.root).discard(places.buriedDirectory, .beginning)
  }
}
