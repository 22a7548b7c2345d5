// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The quarantined content of one session.
package struct QuarantinedSession: Hashable, Sendable {
  /// The ID of the session.
  package let id: SessionID
  /// The path of the quarantine directory.
  package let path: String
  /// The quarantined items, each with its path in the content and its reason. The entries of quarantined
  /// directories are not listed.
  package let items: [SessionRecord.Quarantined]
  /// The number of files, including those in directories.
  package let files: Int64
  /// The sum of their sizes in bytes.
  package let bytes: Int64
}

/// The quarantined content of an app. It stays until the user removes it or the app is uninstalled.
package struct Quarantine: Sendable {
  private let app: AppStore

  /// The subject of the erasure receipt.
  private static let erasureTarget = "quarantine"

  /// Creates the view of an app's quarantine.
  package init(_ app: AppStore) { self.app = app }

  /// Returns the quarantined content of all sessions, ordered by session ID.
  package func list() throws(StoreError) -> [QuarantinedSession] {
    let names: [String]
    do { names = try FileSystem.names(in: app.quarantineDirectory) } catch  where error.errno == .noSuchFile {
      return []
    } catch { throw .system(error) }
    var sessions: [QuarantinedSession] = []
    for id in names.compactMap(SessionID.init) {
      if let session = try find(id) { sessions.append(session) }
    }
    return sessions.sorted { $0.id < $1.id }
  }

  /// Returns the quarantined content of a session, or `nil` if there is none.
  package func find(_ id: SessionID) throws(StoreError) -> QuarantinedSession? {
    let path = app.quarantine(id)
    let items = "\(path)/items"
    guard try system({ () throws(SystemCallError) in try FileSystem.status(path) })?.kind == .directory else {
      return nil
    }
    let isFilled = try system { () throws(SystemCallError) in try FileSystem.status(items) } != nil
    let usage = isFilled ? try ContentMeter.measure(items) : ContentUsage()
    return QuarantinedSession(
      id: id,
      path: path,
      items: isFilled ? try QuarantineDirectory.contents(of: app, id) : [],
      files: usage.files,
      bytes: usage.apparentBytes
    )
  }

  /// A method of removal.
  package enum Removal: Sendable, Hashable {
    /// The files are deleted.
    case plain
    /// The data of the files is overwritten before deletion.
    case shredded
  }

  /// The result of a removal.
  package struct Receipt: Hashable, Sendable {
    /// The removed content.
    package let session: QuarantinedSession
    /// The number of overwritten bytes.
    package var overwritten: Int64 = 0
    /// The number of files that could not be overwritten.
    package var notOverwritten: Int64 = 0
    /// The effect of overwriting on that file system, or `nil` if it was not requested.
    package var effect: OverwritingEffect?
  }

  /// Removes the quarantined content of a session atomically, deletes it, and adds a receipt to the session
  /// record.
  package func remove(_ id: SessionID, _ removal: Removal) throws(StoreError) -> Receipt {
    guard let session = try find(id) else { throw .noSuchQuarantine(app: app.id, session: id) }
    var receipt = Receipt(session: session)
    if removal == .shredded { receipt.effect = .on(session.path) }
    let trash = try Trash(app.root)
    guard let name = try trash.take(session.path) else { throw .noSuchQuarantine(app: app.id, session: id) }
    try system { () throws(SystemCallError) in try FileSystem.synchronizeDirectory(app.quarantineDirectory) }
    if removal == .shredded {
      let shredded = try Shredder.shred("\(app.root.trashDirectory)/\(name)")
      (receipt.overwritten, receipt.notOverwritten) = (shredded.bytes, shredded.skipped)
    }
    try trash.delete(name, .partial)
    let erasure = SessionRecord.Erasure(
      what: Self.erasureTarget,
      files: session.files,
      bytes: session.bytes,
      at: WallClock.milliseconds
    )
    _ = try RecordFile.update(app, id) { record in record.erased.append(erasure) }
    return receipt
  }
}
