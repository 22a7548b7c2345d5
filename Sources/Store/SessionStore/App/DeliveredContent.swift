// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The delivered content of one session.
package struct DeliveredSession: Hashable, Sendable {
  /// The ID of the session.
  package let id: SessionID
  /// The content directory.
  package let path: String
  /// The number of files.
  package let files: Int64
  /// The sum of the file sizes in bytes.
  package let bytes: Int64
  /// The summary of the session record, or `nil` if the app has removed the record.
  package let summary: RecordSummary?
  /// The path of the session record.
  let recordFile: String

  /// The complete session record, or `nil` if the app has removed it.
  ///
  /// Each access reads the file, because a record has a line for each file and can be large.
  package var record: SessionRecord? { (try? RecordFile.read(recordFile)) ?? nil }
}

/// The content of sessions that was delivered to an app.
package struct DeliveredContent: Sendable {
  /// The subject of the erasure receipt that is written when an app invalidates content.
  static var erasureTarget: String { "content" }

  private let app: AppStore

  /// Creates the view of an app's delivered content.
  package init(_ app: AppStore) { self.app = app }

  /// Returns all delivered content, ordered by session start.
  package func list() throws(StoreError) -> [DeliveredSession] { try list(sessionIDs()) }

  /// Returns the present content of the given sessions, ordered by session start.
  func list(_ ids: some Collection<SessionID>) throws(StoreError) -> [DeliveredSession] {
    var sessions: [DeliveredSession] = []
    sessions.reserveCapacity(ids.count)
    for id in ids {
      // The result is `nil` if another consumer has invalidated the content meanwhile.
      if let session = try find(id) { sessions.append(session) }
    }
    return sessions.sorted { ($0.summary?.startedAt ?? 0, $0.id) < ($1.summary?.startedAt ?? 0, $1.id) }
  }

  /// Returns the IDs of the sessions with delivered content.
  func sessionIDs() throws(StoreError) -> [SessionID] {
    try system { () throws(SystemCallError) in
      try FileSystem.names(in: app.contentDirectory).compactMap(SessionID.init)
    }
  }

  /// Returns the content of a session, or `nil` if there is none.
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

  /// Removes the content of a session from the app container atomically, deletes it, and adds a receipt to
  /// the record.
  ///
  /// If several consumers invalidate the same content at the same time, one call succeeds and the others
  /// throw ``StoreError/noSuchContent(app:session:)``. With ``Trash/Thoroughness/beginning``, a part of the
  /// content can stay in the trash, where a later sweep deletes it.
  package func invalidate(_ id: SessionID, _ thoroughness: Trash.Thoroughness = .complete) throws(StoreError)
  {
    guard let session = try find(id) else { throw .noSuchContent(app: app.id, session: id) }
    let usage: ContentUsage
    do throws(StoreError) { usage = try ContentMeter.measure(session.path) } catch {
      // Measuring fails if another process removes the content at the same time.
      guard try find(id) == nil else { throw error }
      throw .noSuchContent(app: app.id, session: id)
    }
    let receipt = SessionRecord.Erasure(
      what: Self.erasureTarget,
      files: usage.files,
      bytes: usage.apparentBytes,
      at: WallClock.milliseconds
    )
    let note = try RemovalIntent.write(app, id, receipt)
    let trash = try app.containerTrash()
    guard let name = try trash.take(session.path) else {
      try note.discard()
      throw .noSuchContent(app: app.id, session: id)
    }
    // Otherwise a power failure could restore the content, and the app would process it twice.
    try system { () throws(SystemCallError) in try FileSystem.synchronizeDirectory(app.contentDirectory) }
    // Sweeps empty only the trash of the state root.
    try trash.delete(name, trash.path == app.root.trashDirectory ? thoroughness : .complete)
    try note.complete()
  }

  /// Copies the content of a session to `directory/<session>`.
  ///
  /// An existing target is never replaced, and a failed copy leaves no files. The original content stays in
  /// place.
  ///
  /// - Returns: The path of the copy.
  package func export(_ id: SessionID, to directory: String) throws(StoreError) -> String {
    guard let session = try find(id) else { throw .noSuchContent(app: app.id, session: id) }
    return try ContentExport(of: session.path, to: "\(directory)/\(id)").run()
  }
}
