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
  /// What the session's record says of it; nil if the app has removed it.
  package let summary: RecordSummary?
  /// The file of the record.
  let recordFile: String

  /// The whole record, read anew each time, because it has a line for each file; nil if the app has removed it.
  package var record: SessionRecord? { (try? RecordFile.read(recordFile)) ?? nil }
}

/// The content that waits for one app.
package struct DeliveredContent: Sendable {
  /// What a receipt says was erased when an app is through with the content of a session.
  static var erasureName: String { "content" }

  private let app: AppStore

  /// The content of an app.
  package init(_ app: AppStore) { self.app = app }

  /// All of it, in the order in which the sessions began.
  package func list() throws(StoreError) -> [DeliveredSession] { try list(sessionIDs()) }

  /// What is there of some sessions, in the order in which they began.
  func list(_ ids: some Collection<SessionID>) throws(StoreError) -> [DeliveredSession] {
    var sessions: [DeliveredSession] = []
    sessions.reserveCapacity(ids.count)
    for id in ids {
      // Nil: another consumer has just invalidated it.
      if let session = try find(id) { sessions.append(session) }
    }
    return sessions.sorted { ($0.summary?.startedAt ?? 0, $0.id) < ($1.summary?.startedAt ?? 0, $1.id) }
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
    let file = app.record(id)
    let summary = (try? RecordSummary.read(file)) ?? nil
    let usage = summary == nil ? try ContentMeter.measure(path) : ContentUsage()
    return DeliveredSession(
      id: id,
      path: path,
      files: summary?.content.files ?? usage.files,
      bytes: summary?.content.bytes ?? usage.apparentBytes,
      summary: summary,
      recordFile: file
    )
  }

  /// Takes the content away from the app's container at once, deletes it or begins to, and notes that in the record. What
  /// is left waits in the trash for a sweep.
  ///
  /// Of several consumers that do so at once, one succeeds; the others find that there is no such content.
  package func invalidate(_ id: SessionID, _ thoroughness: Trash.Thoroughness = .whole) throws(StoreError) {
    guard let session = try find(id) else { throw .noSuchContent(app: app.id, session: id) }
    let usage: ContentUsage
    do throws(StoreError) { usage = try ContentMeter.measure(session.path) } catch {
      // What another takes away meanwhile cannot be measured to the end.
      guard try find(id) == nil else { throw error }
      throw .noSuchContent(app: app.id, session: id)
    }
    let receipt = SessionRecord.Erasure(
      what: Self.erasureName,
      files: usage.files,
      bytes: usage.apparentBytes,
      at: WallClock.milliseconds
    )
    let note = try RemovalNote.write(app, id, receipt)
    let trash = try app.containerTrash()
    guard let name = try trash.take(session.path) else {
      try note.discard()
      throw .noSuchContent(app: app.id, session: id)
    }
    // Otherwise the content could be back after a power failure, and be processed twice.
    try system { () throws(SystemCallError) in try FileSystem.synchronizeDirectory(app.contentDirectory) }
    // A sweep knows of the trash of the state root only.
    try trash.delete(name, trash.path == app.root.trashDirectory ? thoroughness : .whole)
    try note.settle()
  }

  /// Copies the content of a session to `directory/<session>`, and gives that path. What is there is never replaced,
  /// a copy that fails leaves nothing, and the content stays where it is.
  package func export(_ id: SessionID, to directory: String) throws(StoreError) -> String {
    guard let session = try find(id) else { throw .noSuchContent(app: app.id, session: id) }
    return try ContentExport(of: session.path, to: "\(directory)/\(id)").run()
  }
}
