// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The steps that write the record.
extension Migration {
  /// Whether the content has been verified and made durable. If a record is found, it becomes ``record``.
  func isRecorded() throws(StoreError) -> Bool {
    for path in [places.recordFile, app.record(places.id)] {
      if let stored = try RecordFile.read(path) {
        record = stored
        return true
      }
    }
    // The content directory is created before the journal. If it is missing, the content has been delivered,
    // and the app has removed the record since. After a copy to another file system, the directory is only a
    // leftover.
    if try exists(places.copiedMark) { return true }
    guard try exists(places.contentDirectory) else { return true }
    return provenance == .recovery ? try isLogged() : false
  }

  /// Whether the reserved file contains the record, because a power failure reverted its rename. The log then
  /// has the digest of the file.
  ///
  /// The file is renamed again, and becomes ``record``.
  private func isLogged() throws(StoreError) -> Bool {
    let reserved = SpaceReserve(places).recordFile
    let status = try system { () throws(SystemCallError) in try FileSystem.status(reserved) }
    guard let status, status.kind == .regular, status.size > 0 else { return false }
    // An incomplete record has no log entry. An unreadable log must not block the delivery of content.
    guard let entry = (try? SessionLog(app.root).entry(.session(places.id))) ?? nil,
      let digest = StoredRecord.digest(of: reserved), digest == entry.note.session?.recordDigest
    else { return false }
    try system { () throws(SystemCallError) in
      try FileSystem.moveFile(reserved, to: places.recordFile, .noReplace)
      try FileSystem.synchronizeDirectory(places.directory)
    }
    guard let stored = try RecordFile.read(places.recordFile) else { return false }
    record = stored
    return true
  }

  /// Returns the quarantined items of this and earlier verifications.
  func quarantinedItems() throws(StoreError) -> [SessionRecord.Quarantined] {
    if let quarantined { return quarantined }
    let found = try QuarantineDirectory.contents(of: app, places.id)
    if inventory != nil { quarantined = found }
    return found
  }

  /// Adds the results of the verification to the record, unless an earlier process verified the content.
  func completeRecord() throws(StoreError) {
    if let inventory {
      record.files = inventory.files
      record.sanitized = inventory.sanitized
      record.content = SessionRecord.Content(
        files: Int64(inventory.files.count),
        bytes: inventory.bytes,
        delivered: !inventory.files.isEmpty,
        renamed: Int64(inventory.sanitized.count { $0.change == .renamed })
      )
      record.ingested = RenamedPaths(inventory).following(ingested)
    }
    record.quarantined = try quarantinedItems()
  }

  /// Renames the written record to its final name, or writes one if no space was reserved for it.
  func writeRecord() throws(StoreError) {
    // If this process verified the content, there was no record before.
    if inventory == nil, try isRecorded() { return }
    guard let text = recordWrite.take() else {
      try completeRecord()
      let digest = try Document.write(record, to: places.recordFile)
      written = digest.map { WrittenRecord(record: record, digest: $0) }
      return
    }
    written = text.written
    // The following log entry identifies the file by its digest, whatever its name after a power failure.
    try text.commit(places.recordFile, provenance == .host ? .temporary : .durable)
  }
}
