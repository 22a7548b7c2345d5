// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// A write-ahead note in the trash, written before content is removed from its app.
///
/// If the removing process dies, recovery uses the note to add the receipt to the record.
struct RemovalIntent: ~Copyable {
  /// The prefix of the file names of notes.
  private static let prefix = "receipt-"

  private let path: String
  private let app: AppStore
  private let session: SessionID
  private let receipt: SessionRecord.Erasure
  /// The lock that is held while the removing process lives.
  private let lock: FileLock

  /// Writes a note durably.
  static func write(
    _ app: AppStore,
    _ session: SessionID,
    _ receipt: SessionRecord.Erasure
  ) throws(StoreError) -> RemovalIntent {
    let trash = app.root.trashDirectory
    while true {
      let path = "\(trash)/\(prefix)\(Randomness.hexadecimal(bytes: 12)).json"
      let lock = try system { () throws(SystemCallError) in try FileLock.claim(path) }
      // The claim fails if recovery claimed and removed the file between its creation and its locking.
      guard let lock else { continue }
      let value: JSONValue = [
        "app": .string(app.id), "session": .string(session.description), "receipt": receipt.json,
      ]
      do {
        let file = try FileSystem.open(path, [.write, .noFollow])
        try file.writeAll(value.bytes(.compact))
        try file.synchronize()
        try FileSystem.synchronizeDirectory(trash)
      } catch {
        try? FileSystem.unlink(path)
        throw .system(error)
      }
      return RemovalIntent(path: path, app: app, session: session, receipt: receipt, lock: lock)
    }
  }

  /// Adds the receipt to the record once, and removes the note. If the app has removed the record, no receipt
  /// is needed.
  consuming func complete() throws(StoreError) {
    let receipt = receipt
    _ = try RecordFile.update(app, session) { record in
      if !record.erased.contains(where: { $0.what == DeliveredContent.erasureTarget }) {
        record.erased.append(receipt)
      }
    }
    try discard()
  }

  /// Removes the note, because the content was not removed.
  consuming func discard() throws(StoreError) {
    do { try FileSystem.unlink(path) } catch  where error.errno == .noSuchFile { return } catch {
      throw .system(error)
    }
  }

  /// Completes the notes of dead processes among the named entries of the trash, and returns whether there
  /// were any.
  static func completeAbandoned(in root: StateRoot, among names: [String]) throws(StoreError) -> Bool {
    var hasCompleted = false
    for name in names where name.hasPrefix(prefix) {
      let path = "\(root.trashDirectory)/\(name)"
      let lock = try system { () throws(SystemCallError) in try FileLock.claimExisting(path) }
      guard let lock else { continue }
      hasCompleted = true
      guard let note = try read(path, root, lock) else {
        // The note is truncated, so the content had not been removed yet.
        try system { () throws(SystemCallError) in try FileSystem.unlink(path) }
        continue
      }
      let content = note.app.content(note.session)
      let exists = try system { () throws(SystemCallError) in try FileSystem.status(content) != nil }
      if exists {
        try note.discard()
        continue
      }
      // The process that removed the content may have died before the removal was durable. The receipt must
      // not precede it.
      try system { () throws(SystemCallError) in
        try FileSystem.synchronizeDirectory(note.app.contentDirectory)
      }
      try note.complete()
    }
    return hasCompleted
  }

  /// Reads a note, or returns `nil` if it is incomplete.
  private static func read(
    _ path: String,
    _ root: StateRoot,
    _ lock: consuming FileLock
  ) throws(StoreError) -> RemovalIntent? {
    let value: JSONValue?
    do { value = try Document.read(path) } catch .damaged { return nil }
    guard let value, let app = value["app"]?.string, let session = SessionID(value["session"]?.string ?? ""),
      let receipt = try? SessionRecord.Erasure(reading: DocumentReader(value).object("receipt"))
    else { return nil }
    return RemovalIntent(path: path, app: try root.app(app), session: session, receipt: receipt, lock: lock)
  }
}
