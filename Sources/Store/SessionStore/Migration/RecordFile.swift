// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// Access to the file of a session record.
enum RecordFile {
  /// Reads a record, or returns `nil` if the file does not exist.
  static func read(_ path: String) throws(StoreError) -> SessionRecord? {
    guard let value = try Document.read(path) else { return nil }
    do { return try SessionRecord(json: value) } catch { throw .damaged(path: path, error) }
  }

  /// Changes a published record under an exclusive lock.
  ///
  /// Only changed members are rewritten, so that members of other versions of the format are preserved. If
  /// the file still has the digest of `written`, it is not parsed.
  ///
  /// - Returns: The changed record, or `nil` if there is none.
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
  /// Reads the record of a session, or returns `nil` if the app has no record of it.
  package func readRecord(of session: SessionID) throws(StoreError) -> SessionRecord? {
    try RecordFile.read(record(session))
  }
}
