// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives

/// Makes system calls in whose failure the store has nothing to add.
func system<Result: ~Copyable>(
  _ body: () throws(SystemCallError) -> Result
) throws(StoreError) -> Result {
  do { return try body() } catch { throw .system(error) }
}

/// A document of the store that is written whole or not at all.
enum Document {
  /// Reads a document; nil if there is no such file.
  static func read(_ path: String, limit: JSONLimits = .record) throws(StoreError) -> JSONValue? {
    let bytes: [UInt8]?
    do {
      bytes = try FileSystem.open(path, [.noFollow]).readAll(limit: limit.bytes)
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
    guard let bytes else { throw .damaged(path: path, .tooLarge) }
    do { return try JSONNode.parse(bytes, limits: limit).value } catch {
      throw .damaged(path: path, .syntax("\(error)"))
    }
  }

  /// Writes a document so that after a crash the old one or the new one is there.
  static func write(_ value: JSONValue, to path: String) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try FileSystem.replaceContents(path, with: value.bytes(.indented))
    }
  }

  /// Writes a record so that after a crash the old one or the new one is there, and never has its whole text in memory:
  /// it can name a million files. Gives the digest of the text, if it has one.
  static func write(_ record: SessionRecord, to path: String) throws(StoreError) -> SHA256Digest? {
    var digest: SHA256Digest?
    try system { () throws(SystemCallError) in
      try FileSystem.replaceContents(path) { (file) throws(SystemCallError) in
        digest = try RecordText.write(record, to: file)
      }
    }
    return digest
  }

  /// The same for the members of any document.
  static func write(_ members: [JSONPart], to path: String) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try FileSystem.replaceContents(path) { (file) throws(SystemCallError) in
        try JSONValue.write(members, .indented) { (piece) throws(SystemCallError) in
          try file.writeAll(piece)
        }
      }
    }
  }
}

/// Locks a directory among all hosts, waiting until nobody else holds it.
func lockDirectory(_ path: String) throws(StoreError) -> FileLock {
  try system { () throws(SystemCallError) in
    try FileLock.lock(owning: FileSystem.open(path, [.directory]))
  }
}
