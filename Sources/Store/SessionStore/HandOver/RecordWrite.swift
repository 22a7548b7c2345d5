// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives

/// The record of a session as a text that has no name yet, over the space that was set aside for it.
///
/// By itself it is no record, for nobody but a line in the log takes it for one: so it can be written before the content that it
/// speaks of is durable, and only its name has to wait for that.
struct RecordWrite: ~Copyable {
  /// What was written; nil if its text has no digest.
  let written: WrittenRecord?
  private let file: ReservedWrite

  /// Writes the text of a record over the file at `reserved`.
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

  /// Gives it the name of the record.
  ///
  /// Of one that is `.passing` only the text is durable: a power failure may give it the name back that it had.
  consuming func take(_ path: String, _ use: FileSystem.ReservedUse) throws(StoreError) {
    do { try file.take(path, use) } catch { throw .system(error) }
  }
}
