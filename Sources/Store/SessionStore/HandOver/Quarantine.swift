// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// What was kept from an app of one session's content.
package struct QuarantinedSession: Hashable, Sendable {
  /// The session.
  package let id: SessionID
  /// Where it is.
  package let path: String
  /// What was moved aside, by its path in the content, with the reason. What it holds itself is not listed.
  package let items: [SessionRecord.Quarantined]
  /// How many files it all holds.
  package let files: Int64
  /// How many bytes they hold.
  package let bytes: Int64
}

/// What was kept from one app: it waits for a person to look at it, and goes with the app or when they remove it.
package struct Quarantine: Sendable {
  private let app: AppStore

  /// What a receipt says was erased.
  private static let erasureName = "quarantine"

  /// The quarantine of an app.
  package init(_ app: AppStore) { self.app = app }

  /// All of it, by sessions.
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

  /// What was kept of one session; nil if there is nothing.
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
      items: isFilled ? try QuarantineFolder.contents(of: app, id) : [],
      files: usage.files,
      bytes: usage.apparentBytes
    )
  }

  /// How it is removed.
  package enum Removal: Sendable, Hashable {
    /// Its names and its space are given back.
    case plain
    /// What its files hold is overwritten first.
    case shredded
  }

  /// What was removed.
  package struct Receipt: Hashable, Sendable {
    /// What it was.
    package let session: QuarantinedSession
    /// How many bytes were overwritten.
    package var overwritten: Int64 = 0
    /// How many files were not overwritten, although that was asked for.
    package var notOverwritten: Int64 = 0
    /// What overwriting means there; nil: nobody asked for it.
    package var effect: OverwritingEffect?
  }

  /// Takes what was kept of a session away at once, deletes it, and notes that in the session's record.
  package func remove(_ id: SessionID, _ removal: Removal) throws(StoreError) -> Receipt {
    guard let session = try find(id) else { throw .noSuchQuarantine(app: app.id, session: id) }
    var receipt = Receipt(session: session)
    if removal == .shredded { receipt.effect = .on(session.path) }
    let trash = try Trash(app.root)
    guard let name = try trash.take(session.path) else { throw .noSuchQuarantine(app: app.id, session: id) }
    try system { () throws(SystemCallError) in try FileSystem.synchronizeDirectory(app.quarantineDirectory) }
    if removal == .shredded {
      let shredded = try Shredder.shred("\(app.root.trashDirectory)/\(name)")
      (receipt.overwritten, receipt.notOverwritten) = (shredded.bytes, shredded.left)
    }
    try trash.delete(name, .beginning)
    let erasure = SessionRecord.Erasure(
      what: Self.erasureName,
      files: session.files,
      bytes: session.bytes,
      at: WallClock.milliseconds
    )
    _ = try RecordFile.update(app, id) { record in record.erased.append(erasure) }
    return receipt
  }
}
