// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives

/// A record that this process wrote, and the digest of its text, which identifies the file.
struct WrittenRecord {
  let record: SessionRecord
  /// The digest of the written text.
  let digest: SHA256Digest
}

/// A session record as read from its file before the file is rewritten.
struct StoredRecord {
  let record: SessionRecord
  /// The members of the file, which may include those of other versions, or `nil` if the file has exactly the
  /// members of ``record``.
  private let storedMembers: JSONValue?

  /// Reads a record file, or returns `nil` if it does not exist.
  ///
  /// If the file has the digest of `written`, it is not parsed, because parsing a record of many files takes
  /// long.
  static func read(_ path: String, _ written: WrittenRecord?) throws(StoreError) -> StoredRecord? {
    if let written, digest(of: path) == written.digest {
      return StoredRecord(record: written.record, storedMembers: nil)
    }
    guard let value = try Document.read(path) else { return nil }
    do { return StoredRecord(record: try SessionRecord(json: value), storedMembers: value) } catch {
      throw .damaged(path: path, error)
    }
  }

  /// Returns the digest of a file, or `nil` if it cannot be read.
  static func digest(of path: String) -> SHA256Digest? {
    guard let file = try? FileSystem.open(path, [.noFollow]) else { return nil }
    return try? SHA256Digest.of(file)
  }

  /// Returns the members of the file, with those replaced that differ between the old and the new record.
  ///
  /// Lists of files, which can have a million elements, are compared as values and not as JSON.
  func members(with new: SessionRecord) -> [JSONPart] {
    guard let storedMembers else { return new.parts }
    let areSameFiles =
      record.files == new.files && record.quarantined == new.quarantined
      && record.sanitized == new.sanitized
    var before: [String: JSONValue] = [:]
    for part in record.parts { if case .value(let value) = part.content { before[part.name] = value } }
    var members = (storedMembers.members ?? []).map(\.asPart)
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
  /// The member as a part that can be written in pieces.
  fileprivate var asPart: JSONPart {
    guard case .array(let elements) = value else { return JSONPart(name, value) }
    return JSONPart(name, count: elements.count) { elements[$0] }
  }
}
