// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// An operation that erases the entries of a session content directory that exist at its start, while the
/// extension is running.
///
/// Files that the extension creates later are kept, even under the name of an erased file. Therefore each
/// file is first renamed into a directory that the extension cannot reach, then identified there, and renamed
/// back if it is not one of the original files. Symbolic links are not followed.
package struct ContentEraser {
  /// The totals of an erasure.
  package struct Receipt: Hashable, Sendable {
    /// The number of erased files.
    package var files: Int64 = 0
    /// The sum of their sizes in bytes.
    package var bytes: Int64 = 0
  }

  /// The identity of an entry. The birth time distinguishes it from a new entry that reuses the inode number.
  private struct EntryIdentity: Hashable {
    /// The device and inode numbers.
    let identity: FileIdentity
    /// The birth time, or `nil` if the file system has none.
    let birth: Int64?

    /// Creates the identity of the named entry in a directory.
    init(_ name: [UInt8], _ status: FileStatus, in directory: OpenDirectory) {
      identity = FileIdentity(status)
      birth = directory.descriptor.birth(of: name)
    }
  }

  /// Checkpoints at which tests simulate actions of the extension.
  package enum Checkpoint: Hashable, Sendable {
    /// The existing entries have been recorded.
    case scanned
    /// The entry of this name is an original one and is about to be renamed.
    case selected(String)
    /// A renamed entry turned out to be new and is about to be renamed back.
    case misidentified(String)
  }

  /// The maximum number of entries that are recorded. The limits of a session terminate it before it has
  /// more.
  private static let maximumEntries = 1 << 20
  /// The maximum total length in bytes of the recorded directory paths. Directories beyond it are emptied but
  /// not removed.
  private static let maximumPathBytes = 1 << 20

  private let top: OpenDirectory
  private let staging: OpenDirectory
  /// The files and directories that existed at the start.
  private var files: Set<EntryIdentity> = []
  private var directories: Set<EntryIdentity> = []
  /// The directories from which files were erased.
  private var changed: Set<FileIdentity> = []
  private var receipt = Receipt()
  private var stagedCount = 0
  private let observe: (Checkpoint) -> Void

  /// Erases the current entries of a session's content directory.
  package static func erase(
    _ places: SessionPaths,
    observe: @escaping (Checkpoint) -> Void = { _ in }
  ) throws(StoreError) -> Receipt {
    // The directory is on the file system of the content, so that a rename suffices. If the host dies, it is
    // deleted with the session.
    let staging = "\(places.directory)/erased-\(Randomness.hexadecimal(bytes: 6))"
    var eraser = try system { () throws(SystemCallError) in
      try FileSystem.makeDirectory(staging)
      return ContentEraser(
        top: try OpenDirectory(OwnerAccess.openDirectory(places.contentDirectory)),
        staging: try OpenDirectory(FileSystem.open(staging, [.directory, .noFollow])),
        observe: observe
      )
    }
    try eraser.takeSnapshot()
    observe(.scanned)
    try eraser.stageFiles()
    try eraser.synchronize()
    eraser.removeDirectories()
    try Trash(places.root).discard(staging, .partial)
    return eraser.receipt
  }

  private init(top: OpenDirectory, staging: OpenDirectory, observe: @escaping (Checkpoint) -> Void) {
    self.top = top
    self.staging = staging
    self.observe = observe
  }

  /// Visits all directories. If the extension moves one during the walk, the walk ends, and unvisited files
  /// are kept.
  private func walk(_ body: (TreeWalk.Directory, [UInt8], FileStatus) throws(StoreError) -> Bool)
    throws(StoreError)
  {
    var walk = TreeWalk(top, changes: .unlock, paths: .included)
    do throws(StoreError) {
      while let directory = try walk.next() {
        var subdirectories: [[UInt8]] = []
        guard let names = try? directory.open.descriptor.entryNames(atMost: Self.maximumEntries) else {
          continue
        }
        for name in names {
          guard let status = try? directory.open.descriptor.status(of: name) else { continue }
          if try body(directory, name, status), status.kind == .directory { subdirectories.append(name) }
        }
        walk.descend(into: subdirectories)
      }
    } catch .changedDuringWalk {
      return
    } catch { throw error }
  }

  /// Records the existing entries. This defines the time of the erasure.
  private mutating func takeSnapshot() throws(StoreError) {
    var found: (files: Set<EntryIdentity>, directories: Set<EntryIdentity>) = ([], [])
    try walk { (directory, name, status) throws(StoreError) in
      guard found.files.count + found.directories.count < Self.maximumEntries else { return false }
      let known = EntryIdentity(name, status, in: directory.open)
      if status.kind == .directory {
        found.directories.insert(known)
      } else {
        found.files.insert(known)
      }
      return true
    }
    (files, directories) = found
  }

  /// Renames the recorded files into the staging directory.
  private mutating func stageFiles() throws(StoreError) {
    let (files, directories, staging, observe) = (files, directories, staging, observe)
    var found = (receipt: receipt, buried: stagedCount, changed: changed)
    try walk { (directory, name, status) throws(StoreError) in
      let known = EntryIdentity(name, status, in: directory.open)
      guard status.kind != .directory else { return directories.contains(known) }
      guard files.contains(known) else { return false }
      found.buried += 1
      observe(.selected(String(decoding: name, as: UTF8.self)))
      let newName = Array("\(found.buried)".utf8)
      guard (try? directory.open.descriptor.renameEntry(name, to: newName, in: staging.descriptor)) != nil,
        let moved = try? staging.descriptor.status(of: newName)
      else { return false }
      guard files.contains(EntryIdentity(newName, moved, in: staging)) else {
        // Between the two status calls, the extension replaced the entry with a new one.
        observe(.misidentified(String(decoding: name, as: UTF8.self)))
        Self.restore(newName, as: name, in: directory.open, from: staging)
        return false
      }
      found.changed.insert(directory.open.identity)
      found.receipt.files += 1
      found.receipt.bytes = saturatingSum(found.receipt.bytes, moved.kind == .regular ? moved.size : 0)
      return false
    }
    (receipt, stagedCount, changed) = found
  }

  /// Makes the erasure durable, so that no power failure restores a file after the extension was notified.
  private func synchronize() throws(StoreError) {
    var walk = TreeWalk(top, changes: .unlock, paths: .omitted)
    do throws(StoreError) {
      while let directory = try walk.next() {
        if changed.contains(directory.open.identity) {
          try system { () throws(SystemCallError) in try directory.open.descriptor.synchronize() }
        }
        let names = try? directory.open.descriptor.entryNames(atMost: Self.maximumEntries)
        walk.descend(
          into: (names ?? []).filter { (try? directory.open.descriptor.status(of: $0))?.kind == .directory }
        )
      }
    } catch .changedDuringWalk {
      return
    } catch { throw error }
  }

  /// Renames a new file back to its name, or to a derived name if the extension has reused the name
  /// meanwhile.
  private static func restore(
    _ buried: [UInt8],
    as name: [UInt8],
    in directory: OpenDirectory,
    from staging: OpenDirectory
  ) {
    for wanted in [name, name + Array("-".utf8) + buried] {
      do {
        // The extension may create a file of that name at the same time.
        return try staging.descriptor.renameEntry(
          buried,
          to: wanted,
          in: directory.descriptor,
          .noReplaceContended
        )
      } catch { continue }
    }
  }

  /// Removes the recorded directories that are empty now, deepest first.
  private func removeDirectories() {
    var found: [(parent: EntryPath, name: [UInt8])] = []
    var bytes = 0
    try? walk { (directory, name, status) throws(StoreError) in
      guard status.kind == .directory, directories.contains(EntryIdentity(name, status, in: directory.open))
      else {
        return false
      }
      bytes += directory.path.bytes.count + name.count
      guard bytes <= Self.maximumPathBytes else { return false }
      found.append((directory.path, name))
      return true
    }
    for (parent, name) in found.reversed() {
      // rmdir(2) fails for a directory that is not empty, so directories with new entries stay.
      try? open(parent)?.descriptor.removeDirectoryEntry(name)
    }
  }

  /// Opens a directory below the content without following symbolic links, or returns `nil` if it does not
  /// exist.
  private func open(_ path: EntryPath) -> OpenDirectory? {
    var current = top
    for name in path.bytes.split(separator: UInt8(ascii: "/")) {
      guard let next = try? OpenDirectory(current.descriptor.openEntry(Array(name), [.directory])) else {
        return nil
      }
      current = next
    }
    return current
  }
}
