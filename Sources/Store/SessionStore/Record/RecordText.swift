// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives

/// The text of a record: made piece by piece, as it can name a million files, and its digest taken on the way.
enum RecordText {
  /// Writes the text to the end of a file, and gives its digest.
  ///
  /// Nil if there is no digest, which is no reason not to write: whoever needs it takes that of the file, or fails.
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

  /// The digest of the text.
  static func digest(of record: SessionRecord) throws(StoreError) -> SHA256Digest {
    do throws(DigestError) {
      var hasher = try SHA256Hasher.make()
      JSONValue.write(record.parts, .indented) { piece in hasher.update(piece) }
      return try hasher.finish()
    } catch { throw .digest(error) }
  }
}
