// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// What is noted in the trash before content is taken away from its app, so that the record gets its receipt also if
/// whoever takes it dies on the way.
struct RemovalNote: ~Copyable {
  /// What the names begin with.
  private static let prefix = "receipt-"

  private let path: String
  private let app: AppStore
  private let session: SessionID
  private let receipt: SessionRecord.Erasure
  /// Held as long as the one who takes the content lives.
  private let lock: FileLock

  /// Notes what is about to go, durably.
  static func write(
    _ app: AppStore,
    _ session: SessionID,
    _ receipt: SessionRecord.Erasure
  ) throws(StoreError) -> RemovalNote {
    let trash = app.root.trashDirectory
    while true {
      let path = "\(trash)/\(prefix)\(Randomness.hexadecimal(bytes: 12)).json"
      let lock = try system { () throws(SystemCallError) in try FileLock.claim(path) }
      // Nil: recovery was faster between the making and the locking of the file.
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
      return RemovalNote(path: path, app: app, session: session, receipt: receipt, lock: lock)
    }
  }

  /// Puts the receipt into the record, once, and removes the note. A record that the app has removed needs none.
  consuming func settle() throws(StoreError) {
    let receipt = receipt
    _ = try RecordFile.update(app, session) { record in
      if !record.erased.contains(where: { $0.what == DeliveredContent.erasureName }) {
        record.erased.append(receipt)
      }
    }
    try discard()
  }

  /// Removes the note: the content was not taken.
  consuming func discard() throws(StoreError) {
    do { try FileSystem.unlink(path) } catch  where error.errno == .noSuchFile { return } catch {
      throw .system(error)
    }
  }

  /// Settles what others have noted who died, in the trash under these names; whether there was any of it.
  static func settleAbandoned(in root: StateRoot, among names: [String]) throws(StoreError) -> Bool {
    var hasSettled = false
    for name in names where name.hasPrefix(prefix) {
      let path = "\(root.trashDirectory)/\(name)"
      let lock = try system { () throws(SystemCallError) in try FileLock.claimExisting(path) }
      guard let lock else { continue }
      hasSettled = true
      guard let note = try read(path, root, lock) else {
        // Cut short: nothing was taken yet.
        try system { () throws(SystemCallError) in try FileSystem.unlink(path) }
        continue
      }
      let content = note.app.content(note.session)
      let isThere = try system { () throws(SystemCallError) in try FileSystem.status(content) != nil }
      if isThere {
        try note.discard()
        continue
      }
      // Whoever has taken it may have died before that was durable, and the record is about to say it.
      try system { () throws(SystemCallError) in
        try FileSystem.synchronizeDirectory(note.app.contentDirectory)
      }
      try note.settle()
    }
    return hasSettled
  }

  /// Reads a note; nil if it is not whole.
  private static func read(
    _ path: String,
    _ root: StateRoot,
    _ lock: consuming FileLock
  ) throws(StoreError) -> RemovalNote? {
    let value: JSONValue?
    do { value = try Document.read(path) } catch .damaged { return nil }
    guard let value, let app = value["app"]?.string, let session = SessionID(value["session"]?.string ?? ""),
      let receipt = try? SessionRecord.Erasure(reading: DocumentReader(value).object("receipt"))
    else { return nil }
    return RemovalNote(path: path, app: try root.app(app), session: session, receipt: receipt, lock: lock)
  }
}
