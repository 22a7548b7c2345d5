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
    if new != old { try Document.write(merge(old, new, into: value), to: path) }
    _ = lock
    return new
  }

  /// The members of `stored`, with those that differ between two of its readings as the new one has them.
  ///
  /// What names files, of which there can be a million, is compared as it is and not as the trees that it becomes.
  private static func merge(
    _ old: SessionRecord,
    _ new: SessionRecord,
    into stored: JSONValue
  ) -> [JSONPart] {
    let areSameFiles =
      old.files == new.files && old.quarantined == new.quarantined && old.normalised == new.normalised
    var before: [String: JSONValue] = [:]
    for part in old.parts { if case .value(let value) = part.content { before[part.name] = value } }
    var members = (stored.members ?? []).map(\.asPart)
    for part in new.parts {
      switch part.content {
      case .value(let value): if before[part.name] == value { continue }
      case .elements: if areSameFiles { continue }
      }
      if let index = members.firstIndex(where: { $0.name == part.name }) {
        members[index] = part
      } else {
        members.append(part)
      }
    }
    return members
  }
}

extension JSONValue.Member {
  /// The member as it is written piece by piece.
  fileprivate var asPart: JSONPart {
    guard case .array(let elements) = value else { return JSONPart(name, value) }
    return JSONPart(name, count: elements.count) { elements[$0] }
  }
}
