// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The directory of an ended session, kept for the next one: its lock, a file for the journal, and unused
/// reserved space (``SpaceReserve``).
///
/// Creating and deleting files is a large part of the cost of a session on file systems that discard freed
/// blocks (mount(8)). The same is true for ext4 without a journal, which examines recently deleted inodes
/// before it creates a file.
///
/// These files belong to the host and are never visible to an extension. Reusing visible files would reveal
/// the previous session by inode numbers and times.
///
/// There is at most one spare directory. If several sessions end at the same time, the others are deleted.
struct SpareDirectory {
  /// The file that becomes the first journal of the next session.
  static let journal = SessionPaths.reservePrefix + "journal"
  /// The journal of the last session, which contains no more than the session log.
  ///
  /// Until the next session has synchronized the directory, a power failure can restore the name of this file
  /// as a journal. Therefore only the session after the next one overwrites it.
  private static let settling = SessionPaths.reservePrefix + "settling"
  private static let general = SessionPaths.reservePrefix + SpaceReserve.Part.general.rawValue
  /// The names that the directory may contain.
  private static let names: Set<String> = ["lock", general, journal, settling]
  private let root: StateRoot

  /// Creates the view of a state root's spare directory.
  init(_ root: StateRoot) { self.root = root }

  private var path: String { root.spareDirectory }

  /// Renames the spare directory to that of a session. The caller must hold the lock of the sessions
  /// directory.
  ///
  /// - Returns: The lock of the session, or `nil` if there is no valid spare directory.
  func take(for places: SessionPaths) throws(StoreError) -> FileLock? {
    guard let lock = try claim() else { return nil }
    try system { () throws(SystemCallError) in
      try FileSystem.rename(path, to: places.directory, .noReplace)
    }
    return lock
  }

  /// Deletes an invalid spare directory, and the reserve file of an earlier version.
  func removeInvalid() throws(StoreError) {
    _ = try claim()
    try system { () throws(SystemCallError) in try FileSystem.removeTree(root.legacyReserveFile) }
  }

  /// Claims the lock of a valid spare directory, or deletes an invalid one.
  ///
  /// If the previous owner still holds the lock, `nil` is returned without waiting.
  private func claim() throws(StoreError) -> FileLock? {
    do throws(SystemCallError) {
      if let lock = try FileLock.claimExisting("\(path)/lock") {
        if try isValid() { return lock }
      } else if try FileSystem.status("\(path)/lock") != nil {
        return nil
      }
    } catch { throw .system(error) }
    try Trash(root).discard(path)
    return nil
  }

  /// Whether the directory contains only expected files.
  ///
  /// A power failure can restore deleted files of the last session, or revert renames of the next one.
  private func isValid() throws(SystemCallError) -> Bool {
    // A symbolic link would redirect the writes of the session.
    guard try FileSystem.status(path)?.kind == .directory else { return false }
    let found = try FileSystem.names(in: path)
    guard found.contains("lock"), Self.names.isSuperset(of: found) else { return false }
    for name in found {
      guard let status = try FileSystem.status("\(path)/\(name)"), status.kind == .regular, status.links == 1
      else { return false }
    }
    return true
  }

  /// Keeps the lock and journal of a trashed session directory as the spare directory, and deletes its other
  /// files.
  ///
  /// No synchronization is needed: after a power failure, the directory is in the trash and is deleted, or is
  /// invalid.
  ///
  /// - Returns: `false` if the directory must be deleted, because a spare directory exists or an error
  ///   occurred.
  func keep(_ places: SessionPaths, _ journal: Journal) -> Bool {
    let buried = places.trashedDirectory
    do throws(StoreError) {
      if try system({ () throws(SystemCallError) in try FileSystem.status(path) }) != nil { return false }
      let found = try system { () throws(SystemCallError) in try FileSystem.names(in: buried) }
      guard found.contains("lock"), found.contains("journal.json") else { return false }
      let trash = try Trash(root)
      for name in found where name != "journal.json" && !Self.names.contains(name) {
        try trash.discard("\(buried)/\(name)", .partial)
      }
      return try system { () throws(SystemCallError) in
        try keepReserve(in: buried)
        try keepJournal(of: places, journal)
        try FileSystem.rename(buried, to: path, .noReplace)
        return true
      }
    } catch { return false }
  }

  /// Removes reserved space beyond the initial size.
  private func keepReserve(in buried: String) throws(SystemCallError) {
    let path = "\(buried)/\(Self.general)"
    guard let status = try FileSystem.status(path) else { return }
    if status.links != 1 || status.allocated > SpaceReserve.Part.general.minimumBytes {
      try FileSystem.unlink(path)
    }
  }

  /// Prepares the journal files: the journal of the last session settles, and the settled one becomes
  /// available to the next session.
  ///
  /// A journal with an outcome or receipt is removed.
  private func keepJournal(of places: SessionPaths, _ journal: Journal) throws(SystemCallError) {
    let settling = "\(places.trashedDirectory)/\(Self.settling)"
    do { try FileSystem.rename(settling, to: "\(places.trashedDirectory)/\(Self.journal)", .replace) } catch
      where error.errno == .noSuchFile
    {
      // There was no such journal, or it was not kept.
    }
    if journal.phase == .running {
      try FileSystem.rename(places.trashedJournalFile, to: settling, .noReplace)
    } else {
      try FileSystem.unlink(places.trashedJournalFile)
    }
  }
}
