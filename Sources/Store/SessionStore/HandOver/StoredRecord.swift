// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives

/// A record that this process has written, and the digest of its text, by which its file is known again.
struct WrittenRecord {
  /// The record.
  let record: SessionRecord
  /// The digest of the text that was written.
  let digest: SHA256Digest
}

/// The record in a file that is about to be changed.
struct StoredRecord {
  /// The record.
  let record: SessionRecord
  /// Everything that stands in the file, be it of another version; nil if that is the record's own text.
  private let others: JSONValue?

  /// Reads a file, but only for its digest if that of what this process has `written` says what stands in it: a record
  /// of many files takes long to read. Nil if there is no such file.
  static func read(_ path: String, _ written: WrittenRecord?) throws(StoreError) -> StoredRecord? {
    if let written, digest(of: path) == written.digest {
      return StoredRecord(record: written.record, others: nil)
    }
    guard let value = try Document.read(path) else { return nil }
    do { return StoredRecord(record: try SessionRecord(json: value), others: value) } catch {
      throw .damaged(path: path, error)
    }
  }

  /// The digest of a file; nil if there is none, or if it cannot be taken.
  static func digest(of path: String) -> SHA256Digest? {
    guard let file = try? FileSystem.open(path, [.noFollow]) else { return nil }
    return try? SHA256Digest.of(file)
  }

  /// The members of the file, with those that differ between this record and the new one as that has them.
  ///
  /// What names files, of which there can be a million, is compared as it is and not as the trees that it becomes.
  func members(with new: SessionRecord) -> [JSONPart] {
    guard let others else { return new.parts }
    let areSameFiles =
      record.files == new.files && record.quarantined == new.quarantined
      && record.normalised == new.normalised
    var before: [String: JSONValue] = [:]
    for part in record.parts { if case .value(let value) = part.content { before[part.name] = value } }
    var members = (others.members ?? []).map(\.asPart)
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
