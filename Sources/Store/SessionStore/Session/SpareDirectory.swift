// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The directory of a session that is no more, for the next one: with its lock, a file for its journal, and the space that was
/// set aside and not needed (``SpaceReserve``).
///
/// To make directories and files, and to delete them, is a good part of what a session takes where the file system discards what
/// is freed (mount(8)), or looks at all that was deleted in the last minutes before it makes a file (ext4 without a journal).
/// These are the host's own and never were an extension's, and no session is shown any of them: what it is shown could tell it, by
/// number and times, of the session before. There is one at most: of several sessions that end at once the others
/// are deleted.
struct SpareDirectory {
  /// The file that becomes the next session's first journal.
  static let journal = SessionPlaces.reservePrefix + "journal"
  /// The last session's journal, which says no more than the session log does. A power failure can give it that name back until the
  /// next session has made the directory durable, which begins with that: so it is not written over before the session after that.
  private static let settling = SessionPlaces.reservePrefix + "settling"
  private static let general = SessionPlaces.reservePrefix + SpaceReserve.Part.general.rawValue
  /// What can be in it.
  private static let names: Set<String> = ["lock", general, journal, settling]
  private let root: StateRoot

  /// The one of a state root.
  init(_ root: StateRoot) { self.root = root }

  private var path: String { root.spareDirectory }

  /// Makes it the directory of a session, whose lock it gives; nil: there is none, or not one as it has to be. The lock of the
  /// directory of all sessions must be held.
  func take(for places: SessionPlaces) throws(StoreError) -> FileLock? {
    guard let lock = try claim() else { return nil }
    try system { () throws(SystemCallError) in
      try FileSystem.rename(path, to: places.directory, .noReplace)
    }
    return lock
  }

  /// Deletes it if it is not as it has to be, and what an earlier version has kept in its place.
  func removeUnsound() throws(StoreError) {
    _ = try claim()
    try system { () throws(SystemCallError) in try FileSystem.removeTree(root.earlierReserveFile) }
  }

  /// Its lock, if it is as it has to be; else it is deleted. Whoever has handed it on a moment ago may hold it still, and is not
  /// waited for.
  private func claim() throws(StoreError) -> FileLock? {
    do throws(SystemCallError) {
      if let lock = try FileLock.claimExisting("\(path)/lock") {
        if try isSound() { return lock }
      } else if try FileSystem.status("\(path)/lock") != nil {
        return nil
      }
    } catch { throw .system(error) }
    try Trash(root).discard(path)
    return nil
  }

  /// Whether nothing is in it but what may be. A power failure can have brought back what was deleted of the last session, or have
  /// taken from the next what it had begun to write.
  private func isSound() throws(SystemCallError) -> Bool {
    // A link would be given to the session, which would write to wherever it leads.
    guard try FileSystem.status(path)?.kind == .directory else { return false }
    let found = try FileSystem.names(in: path)
    guard found.contains("lock"), Self.names.isSuperset(of: found) else { return false }
    for name in found {
      guard let status = try FileSystem.status("\(path)/\(name)"), status.kind == .regular, status.links == 1
      else { return false }
    }
    return true
  }

  /// Keeps the directory of a session of which lock and `journal` are to be deleted, and deletes what else is there; false: it has
  /// to be deleted as well, because there is one already or for whatever else keeps it from being another's.
  ///
  /// Nothing waits until that is durable: after a power failure it is found in the trash, and deleted, or is not sound.
  func keep(_ places: SessionPlaces, _ journal: Journal) -> Bool {
    let buried = places.buriedDirectory
    do throws(StoreError) {
      if try system({ () throws(SystemCallError) in try FileSystem.status(path) }) != nil { return false }
      let found = try system { () throws(SystemCallError) in try FileSystem.names(in: buried) }
      guard found.contains("lock"), found.contains("journal.json") else { return false }
      let trash = try Trash(root)
      for name in found where name != "journal.json" && !Self.names.contains(name) {
        try trash.discard("\(buried)/\(name)", .beginning)
      }
      return try system { () throws(SystemCallError) in
        try keepReserve(in: buried)
        try keepJournal(of: places, journal)
        try FileSystem.rename(buried, to: path, .noReplace)
        return true
      }
    } catch { return false }
  }

  /// More than every session needs is not kept.
  private func keepReserve(in buried: String) throws(SystemCallError) {
    let path = "\(buried)/\(Self.general)"
    guard let status = try FileSystem.status(path) else { return }
    if status.links != 1 || status.allocated > SpaceReserve.Part.general.least {
      try FileSystem.unlink(path)
    }
  }

  /// Makes the journal of the session before the last a file for the next one, and that of the last for the one after. One that
  /// says how the session ended, or what was erased of it, is not kept.
  private func keepJournal(of places: SessionPlaces, _ journal: Journal) throws(SystemCallError) {
    let settling = "\(places.buriedDirectory)/\(Self.settling)"
    do { try FileSystem.rename(settling, to: "\(places.buriedDirectory)/\(Self.journal)", .replace) } catch
      where error.errno == .noSuchFile
    {
      // There was none, or it was not kept.
    }
    if journal.phase == .running {
      try FileSystem.rename(places.buriedJournalFile, to: settling, .noReplace)
    } else {
      try FileSystem.unlink(places.buriedJournalFile)
    }
  }
}
