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
  /// Of the file only that is written anew which has changed: what another version has written beside it stays.
  static func update(
    _ app: AppStore,
    _ session: SessionID,
    _ change: (inout SessionRecord) -> Void
  ) throws(StoreError) -> SessionRecord? {
    let lock: FileLock
    // An app that was uninstalled has no records.
    do { lock = try lockDirectory(app.recordsDirectory) } catch .system(let error)
      where error.errno == .noSuchFile
    { return nil }
    let path = app.record(session)
    guard let value = try Document.read(path) else { return nil }
    let old: SessionRecord
    do { old = try SessionRecord(json: value) } catch { throw .damaged(path: path, error) }
    var new = old
    change(&new)
    if new != old { try Document.write(merge(old.json, new.json, into: value), to: path) }
    _ = lock
    return new
  }

  /// The members of `stored`, with those that differ between two of its readings as the new one has them.
  private static func merge(_ old: JSONValue, _ new: JSONValue, into stored: JSONValue) -> JSONValue {
    var members = stored.members ?? []
    for member in new.members ?? [] where old[member.name] != member.value {
      if let index = members.firstIndex(where: { $0.name == member.name }) {
        members[index] = member
      } else {
        members.append(member)
      }
    }
    return .object(members)
  }
}
