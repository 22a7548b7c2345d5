// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives

/// Runs system calls and wraps their errors in ``StoreError/system(_:)``.
func system<Result: ~Copyable>(
  _ body: () throws(SystemCallError) -> Result
) throws(StoreError) -> Result {
  do { return try body() } catch { throw .system(error) }
}

/// Atomic reading and writing of JSON documents of the store.
enum Document {
  /// Reads a document, or returns `nil` if the file does not exist.
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

  /// Replaces a document atomically and durably.
  static func write(_ value: JSONValue, to path: String) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try FileSystem.replaceContents(path, with: value.bytes(.indented))
    }
  }

  /// Replaces a record atomically and durably.
  ///
  /// The text is written in pieces, because a record can list a million files.
  ///
  /// - Returns: The digest of the text, or `nil` if it could not be computed.
  static func write(_ record: SessionRecord, to path: String) throws(StoreError) -> SHA256Digest? {
    var digest: SHA256Digest?
    try system { () throws(SystemCallError) in
      try FileSystem.replaceContents(path) { (file) throws(SystemCallError) in
        digest = try RecordText.write(record, to: file)
      }
    }
    return digest
  }

  /// Replaces a document atomically and durably. The text is written in pieces.
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

/// Locks a directory against other hosts. Blocks until the lock is free.
func lockDirectory(_ path: String) throws(StoreError) -> FileLock {
  try system { () throws(SystemCallError) in
    try FileLock.lock(owning: FileSystem.open(path, [.directory]))
  }
}
