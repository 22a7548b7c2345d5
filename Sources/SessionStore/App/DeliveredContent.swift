// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The content of one session in its app's container.
package struct DeliveredSession: Hashable, Sendable {
  /// The session.
  package let id: SessionID
  /// The content directory.
  package let path: String
  /// The number of files.
  package let files: Int64
  /// The sum of their lengths.
  package let bytes: Int64
  /// The session's record; nil if the app has removed it.
  package let record: SessionRecord?
}

/// The content that waits for one app.
package struct DeliveredContent: Sendable {
  private let app: AppStore

  /// The content of an app.
  package init(_ app: AppStore) { self.app = app }

  /// All of it, in the order in which the sessions began.
  package func list() throws(StoreError) -> [DeliveredSession] {
    var sessions: [DeliveredSession] = []
    for id in try sessionIDs() {
      // Nil: another consumer has just invalidated it.
      if let session = try find(id) { sessions.append(session) }
    }
    return sessions.sorted { ($0.record?.startedAt ?? 0, $0.id) < ($1.record?.startedAt ?? 0, $1.id) }
  }

  /// The ids of the sessions whose content is there.
  func sessionIDs() throws(StoreError) -> [SessionID] {
    try system { () throws(SystemCallError) in
      try FileSystem.names(in: app.contentDirectory).compactMap(SessionID.init)
    }
  }

  /// The content of one session; nil if there is none.
  package func find(_ id: SessionID) throws(StoreError) -> DeliveredSession? {
    let path = app.content(id)
    guard try system({ () throws(SystemCallError) in try FileSystem.status(path) })?.kind == .directory else {
      return nil
    }
    // A damaged record must not hide the content.
    let record = try? RecordFile.read(app.record(id))
    if let record {
      return DeliveredSession(
        id: id,
        path: path,
        files: record.content.files,
        bytes: record.content.bytes,
        record: record
      )
    }
    let usage = try ContentMeter.measure(path)
    return DeliveredSession(id: id, path: path, files: usage.files, bytes: usage.apparentBytes, record: nil)
  }

  /// Takes the content away from the app's container at once, deletes it or begins to, and notes that in the record. What
  /// is left waits in the trash for a sweep.
  ///
  /// Of several consumers that do so at once, one succeeds; the others find that there is no such content.
  package func invalidate(_ id: SessionID, _ thoroughness: Trash.Thoroughness = .whole) throws(StoreError) {
    guard let session = try find(id) else { throw .noSuchContent(app: app.id, session: id) }
    let usage = try ContentMeter.measure(session.path)
    let trash = try app.containerTrash()
    guard let name = try trash.take(session.path) else {
      throw .noSuchContent(app: app.id, session: id)
    }
    // Otherwise the content could be back after a power failure, and be processed twice.
    try system { () throws(SystemCallError) in try FileSystem.synchronizeDirectory(app.contentDirectory) }
    // A sweep knows of the trash of the state root only.
    try trash.delete(name, trash.path == app.root.trashDirectory ? thoroughness : .whole)
    let receipt = SessionRecord.Erasure(
      what: "content",
      files: usage.files,
      bytes: usage.apparentBytes,
      at: WallClock.milliseconds
    )
    _ = try RecordFile.update(app, id) { record in record.erased.append(receipt) }
  }

  /// Copies the content of a session to `directory/<session>`, and gives that path. What is there is never replaced,
  /// a copy that fails leaves nothing, and the content stays where it is.
  package func export(_ id: SessionID, to directory: String) throws(StoreError) -> String {
    guard let session = try find(id) else { throw .noSuchContent(app: app.id, session: id) }
    return try ContentExport(of: session.path, to: "\(directory)/\(id)").run()
  }
}
