// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The file of a session record.
enum RecordFile {
  /// Reads a record; nil if there is no such file.
  static func read(_ path: String) throws(StoreError) -> SessionRecord? {
    guard let value = try Document.read(path) else { return nil }
    do { return try SessionRecord(json: value) } catch { throw .damaged(path: path, error) }
  }

  /// Changes a published record, excluding everybody else who does, and gives it; nil if there is none.
  ///
  /// Of the file only that is written anew which has changed: what another version has written beside it stays. A file
  /// that is still the one that this process has `written` is not read to know what stands in it.
  static func update(
    _ app: AppStore,
    _ session: SessionID,
    written: WrittenRecord? = nil,
    _ change: (inout SessionRecord) -> Void
  ) throws(StoreError) -> SessionRecord? {
    let lock: FileLock
    // An app that was uninstalled has no records.
    do { lock = try lockDirectory(app.recordsDirectory) } catch .system(let error)
      where error.errno == .noSuchFile
    { return nil }
    let path = app.record(session)
    guard let stored = try StoredRecord.read(path, written) else { return nil }
    var new = stored.record
    change(&new)
    if new != stored.record { try Document.write(stored.members(with: new), to: path) }
    _ = lock
    return new
  }
}

extension AppStore {
  /// Reads the record of a session, or returns `nil` if the app has none of it.
  package func readRecord(of session: SessionID) throws(StoreError) -> SessionRecord? {
    try RecordFile.read(record(session))
  }
}
