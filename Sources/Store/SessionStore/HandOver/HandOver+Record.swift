// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The record beside the content: whether it is there, what it says, and its name.
extension HandOver {
  /// Whether the content is verified and durable, as a record says or its absence; a record found becomes ``record``.
  func isRecorded() throws(StoreError) -> Bool {
    for path in [places.recordFile, app.record(places.id)] {
      if let stored = try RecordFile.read(path) {
        record = stored
        return true
      }
    }
    // The content directory is older than the journal: where it is missing it was delivered, and the app has removed
    // the record since.
    // What was copied to another file system is no more than a leftover.
    if try exists(places.copiedMark) { return true }
    guard try exists(places.contentDirectory) else { return true }
    return provenance == .recovery ? try isLogged() : false
  }

  /// Whether the record is the file that was set aside for it, as it is after a power failure that has taken the new name from it:
  /// the log has its digest. It gets that name, and becomes ``record``.
  private func isLogged() throws(StoreError) -> Bool {
    let reserved = SpaceReserve(places).recordFile
    let status = try system { () throws(SystemCallError) in try FileSystem.status(reserved) }
    guard let status, status.kind == .regular, status.size > 0 else { return false }
    // What was begun and not written to its end has no line; a log that cannot be read keeps no content from its app.
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

  /// What was kept from the app: by the verification, which is the last to add to it, and by earlier ones.
  func keptApart() throws(StoreError) -> [SessionRecord.Quarantined] {
    if let quarantined { return quarantined }
    let found = try QuarantineFolder.contents(of: app, places.id)
    if inventory != nil { quarantined = found }
    return found
  }

  /// Says in the record what is known of the content; nothing, where an earlier process has verified it.
  func completeRecord() throws(StoreError) {
    if let inventory {
      record.files = inventory.files
      record.normalised = inventory.normalised
      record.content = SessionRecord.Content(
        files: Int64(inventory.files.count),
        bytes: inventory.bytes,
        delivered: !inventory.files.isEmpty,
        renamed: Int64(inventory.normalised.count { $0.change == .renamed })
      )
      record.ingested = RenamedPaths(inventory).following(ingested)
    }
    record.quarantined = try keptApart()
  }

  /// Gives the record that was written beside the content its name; writes one, where no space was set aside for it.
  func writeRecord() throws(StoreError) {
    // Who has verified the content found no record before.
    if inventory == nil, try isRecorded() { return }
    guard let text = recordWrite.take() else {
      try completeRecord()
      let digest = try Document.write(record, to: places.recordFile)
      written = digest.map { WrittenRecord(record: record, digest: $0) }
      return
    }
    written = text.written
    // The line in the log, which follows, says which file it is, whatever its name after a power failure.
    try text.take(places.recordFile, provenance == .host ? .passing : .lasting)
  }
}
