// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives

/// A session record that is written to reserved space and not yet renamed to its final name.
///
/// The text can be written before the content is durable; only the rename has to wait. Until then, only its
/// digest in the log identifies the file as a record.
struct RecordWrite: ~Copyable {
  /// The written record, or `nil` if its digest could not be computed.
  let written: WrittenRecord?
  private let file: ReservedWrite

  /// Writes the text of a record over the reserved file.
  init(_ record: SessionRecord, over reserved: String) throws(StoreError) {
    var digest: SHA256Digest?
    do {
      file = try ReservedWrite(over: reserved) { (file) throws(SystemCallError) in
        digest = try RecordText.write(record, to: file)
      }
    } catch { throw .system(error) }
    written = digest.map { WrittenRecord(record: record, digest: $0) }
  }

  /// Makes the text durable.
  borrowing func synchronize() throws(StoreError) {
    do { try file.synchronize() } catch { throw .system(error) }
  }

  /// Renames the file to the name of the record.
  ///
  /// With `.passing`, only the text is durable, and a power failure can revert the rename.
  consuming func commit(_ path: String, _ use: FileSystem.ReservedUse) throws(StoreError) {
    do { try file.take(path, use) } catch { throw .system(error) }
  }
}
