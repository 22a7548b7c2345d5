// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Erases what is in a session content directory at one moment, while the extension goes on using it.
///
/// What is made after that moment is kept, also under the name of something that goes: each file is moved away by its
/// name, looked at where nobody else can reach it, and moved back if it is not one of those that were there. No
/// link is followed.
package struct ContentEraser {
  /// What was erased.
  package struct Receipt: Hashable, Sendable {
    /// How many files.
    package var files: Int64 = 0
    /// How many bytes they had.
    package var bytes: Int64 = 0
  }

  /// An entry, so that a new one that has its numbers again is another.
  private struct Known: Hashable {
    /// Its numbers.
    let identity: FileIdentity
    /// When it was made, if its file system says so.
    let birth: Int64?

    /// The entry of this name and status in a directory.
    init(_ name: [UInt8], _ status: FileStatus, in directory: OpenDirectory) {
      identity = FileIdentity(status)
      birth = directory.descriptor.birth(of: name)
    }
  }

  /// Moments at which the extension may do something, for tests that do it.
  package enum Moment: Hashable, Sendable {
    /// All that is there has been looked at.
    case looked
    /// The entry of this name was there, and is moved away next.
    case chosen(String)
    /// What was moved away was something new, and goes back next.
    case mistaken(String)
  }

  /// How many entries are looked at; a session that has more is ended by its limits.
  private static let mostEntries = 1 << 20
  /// How many bytes the names of directories may take; those beyond are emptied, and stay.
  private static let mostPathBytes = 1 << 20

  private let top: OpenDirectory
  private let grave: OpenDirectory
  /// The files and the directories that were there at the moment.
  private var files: Set<Known> = []
  private var directories: Set<Known> = []
  /// The directories that have lost something.
  private var changed: Set<FileIdentity> = []
  private var receipt = Receipt()
  private var buried = 0
  private let observe: (Moment) -> Void

  /// Erases what the session directory of this session holds now.
  package static func erase(
    _ places: SessionPlaces,
    observe: @escaping (Moment) -> Void = { _ in }
  ) throws(StoreError) -> Receipt {
    // Beside the content, so that a rename suffices, and goes with the session if the host dies meanwhile.
    let grave = "\(places.directory)/erased-\(Randomness.hexadecimal(bytes: 6))"
    var eraser = try system { () throws(SystemCallError) in
      try FileSystem.makeDirectory(grave)
      return ContentEraser(
        top: try OpenDirectory(Accessible.openDirectory(places.contentDirectory)),
        grave: try OpenDirectory(FileSystem.open(grave, [.directory, .noFollow])),
        observe: observe
      )
    }
    try eraser.remember()
    observe(.looked)
    try eraser.bury()
    try eraser.synchronize()
    eraser.removeDirectories()
    try Trash(places.root).discard(grave, .beginning)
    return eraser.receipt
  }

  private init(top: OpenDirectory, grave: OpenDirectory, observe: @escaping (Moment) -> Void) {
    self.top = top
    self.grave = grave
    self.observe = observe
  }

  /// Goes through all directories. One that the extension moves meanwhile ends it: what was not seen is kept.
  private func walk(_ body: (TreeWalk.Directory, [UInt8], FileStatus) throws(StoreError) -> Bool)
    throws(StoreError)
  {
    var walk = TreeWalk(top, changes: .openUp, paths: .kept)
    do throws(StoreError) {
      while let directory = try walk.next() {
        var inside: [[UInt8]] = []
        guard let names = try? directory.open.descriptor.entryNames(atMost: Self.mostEntries) else {
          continue
        }
        for name in names {
          guard let status = try? directory.open.descriptor.status(of: name) else { continue }
          if try body(directory, name, status), status.kind == .directory { inside.append(name) }
        }
        walk.descend(into: inside)
      }
    } catch .changedDuringWalk {
      return
    } catch { throw error }
  }

  /// Notes what is there: this is the moment.
  private mutating func remember() throws(StoreError) {
    var found: (files: Set<Known>, directories: Set<Known>) = ([], [])
    try walk { (directory, name, status) throws(StoreError) in
      guard found.files.count + found.directories.count < Self.mostEntries else { return false }
      let known = Known(name, status, in: directory.open)
      if status.kind == .directory {
        found.directories.insert(known)
      } else {
        found.files.insert(known)
      }
      return true
    }
    (files, directories) = found
  }

  /// Moves the files away that were there.
  private mutating func bury() throws(StoreError) {
    let (files, directories, grave, observe) = (files, directories, grave, observe)
    var found = (receipt: receipt, buried: buried, changed: changed)
    try walk { (directory, name, status) throws(StoreError) in
      let known = Known(name, status, in: directory.open)
      guard status.kind != .directory else { return directories.contains(known) }
      guard files.contains(known) else { return false }
      found.buried += 1
      observe(.chosen(String(decoding: name, as: UTF8.self)))
      let newName = Array("\(found.buried)".utf8)
      guard (try? directory.open.descriptor.renameEntry(name, to: newName, in: grave.descriptor)) != nil,
        let moved = try? grave.descriptor.status(of: newName)
      else { return false }
      guard files.contains(Known(newName, moved, in: grave)) else {
        // Somebody has put something new in its place between the two looks.
        observe(.mistaken(String(decoding: name, as: UTF8.self)))
        Self.putBack(newName, as: name, in: directory.open, from: grave)
        return false
      }
      found.changed.insert(directory.open.identity)
      found.receipt.files += 1
      found.receipt.bytes = saturatingSum(found.receipt.bytes, moved.kind == .regular ? moved.size : 0)
      return false
    }
    (receipt, buried, changed) = found
  }

  /// Makes durable that the files are gone: once the extension has been told so, no power failure brings them back.
  private func synchronize() throws(StoreError) {
    var walk = TreeWalk(top, changes: .openUp, paths: .forgotten)
    do throws(StoreError) {
      while let directory = try walk.next() {
        if changed.contains(directory.open.identity) {
          try system { () throws(SystemCallError) in try directory.open.descriptor.synchronize() }
        }
        let names = try? directory.open.descriptor.entryNames(atMost: Self.mostEntries)
        walk.descend(
          into: (names ?? []).filter { (try? directory.open.descriptor.status(of: $0))?.kind == .directory }
        )
      }
    } catch .changedDuringWalk {
      return
    } catch { throw error }
  }

  /// Gives a new file its name back; if that was given to yet another meanwhile, a name beside it.
  private static func putBack(
    _ buried: [UInt8],
    as name: [UInt8],
    in directory: OpenDirectory,
    from grave: OpenDirectory
  ) {
    for wanted in [name, name + Array("-".utf8) + buried] {
      do {
        // The extension may create a file of that name meanwhile.
        return try grave.descriptor.renameEntry(
          buried,
          to: wanted,
          in: directory.descriptor,
          .noReplaceContended
        )
      } catch { continue }
    }
  }

  /// Removes the directories that were there and are empty now, the deepest first.
  private func removeDirectories() {
    var found: [(parent: EntryPath, name: [UInt8])] = []
    var bytes = 0
    try? walk { (directory, name, status) throws(StoreError) in
      guard status.kind == .directory, directories.contains(Known(name, status, in: directory.open)) else {
        return false
      }
      bytes += directory.path.bytes.count + name.count
      guard bytes <= Self.mostPathBytes else { return false }
      found.append((directory.path, name))
      return true
    }
    for (parent, name) in found.reversed() {
      // The kernel removes none in which there is something: what is new keeps its directory.
      try? open(parent)?.descriptor.removeDirectoryEntry(name)
    }
  }

  /// A directory below the content, reached without following a link; nil if it is not there any more.
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
