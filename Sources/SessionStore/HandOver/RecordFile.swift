// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The file of a session record.
enum RecordFile {
  /// Reads a record; nil if there is no such file.
  static func read(_ path: String) throws(StoreError) -> SessionRecord? {
    guard let value = try Document.read(path) else { return nil }
    do { return try SessionRecord(json: value) } catch { throw .damaged(path: path, error) }
  }

  /// Changes a published record, excluding everybody else who does, and gives it; nil if there is none.
  static func update(
    _ app: AppStore,
    _ session: SessionID,
    _ change: (inout SessionRecord) -> Void
  ) throws(StoreError) -> SessionRecord? {
    let lock = try lockDirectory(app.recordsDirectory)
    guard let old = try read(app.record(session)) else { return nil }
    var new = old
    change(&new)
    if new != old { try Document.write(new, to: app.record(session)) }
    _ = lock
    return new
  }
}
