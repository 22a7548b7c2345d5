// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives

/// Serialization of a record in pieces, with the digest of the text. A record can list a million files.
enum RecordText {
  /// Writes the text to a file.
  ///
  /// - Returns: The digest of the text, or `nil` if it could not be computed. Callers then compute the digest
  ///   of the file, or fail.
  static func write(
    _ record: SessionRecord,
    to file: borrowing Descriptor
  ) throws(SystemCallError) -> SHA256Digest? {
    var hasher = try? SHA256Hasher.make()
    try JSONValue.write(record.parts, .indented) { (piece) throws(SystemCallError) in
      try file.writeAll(piece)
      hasher?.update(piece)
    }
    return try? hasher.take()?.finish()
  }

  /// Returns the digest of the text.
  static func digest(of record: SessionRecord) throws(StoreError) -> SHA256Digest {
    do throws(DigestError) {
      var hasher = try SHA256Hasher.make()
      JSONValue.write(record.parts, .indented) { piece in hasher.update(piece) }
      return try hasher.finish()
    } catch { throw .digest(error) }
  }
}
