// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The directory of what is about to be deleted.
///
/// Deleting takes neither stack nor descriptors in proportion to the depth of a tree: a directory in a directory is
/// moved up into the trash and then is one like any other. Several may be at it at once.
struct Trash {
  /// What the names begin with of things that nobody needs any more.
  private static let prefix = "removed-"

  private let directory: OpenDirectory
  private let path: String

  /// The trash of a state root.
  init(_ root: StateRoot) throws(StoreError) { try self.init(at: root.trashDirectory) }

  /// A directory that serves as trash, on the file system of what is deleted.
  init(at path: String) throws(StoreError) {
    self.path = path
    directory = try system { () throws(SystemCallError) in
      try OpenDirectory(FileSystem.open(path, [.directory, .noFollow]))
    }
  }

  private static func newName() -> String { prefix + Randomness.hexadecimal(bytes: 12) }

  /// Takes something away from its place at once; ``delete(_:)`` or ``empty()`` delete it. Nil: it is not there.
  func take(_ victim: String) throws(StoreError) -> String? {
    let name = Self.newName()
    do {
      try FileSystem.rename(victim, to: "\(path)/\(name)", .noReplace)
      return name
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
  }

  /// Takes something away from its place and deletes it.
  func discard(_ victim: String) throws(StoreError) {
    if let name = try take(victim) { try delete(name) }
  }

  /// Deletes everything that nobody needs any more, and says how many things it was.
  func empty() throws(StoreError) -> Int {
    let names = try system { () throws(SystemCallError) in try FileSystem.names(in: path) }
    let victims = names.filter { $0.hasPrefix(Self.prefix) }
    for name in victims { try delete(name) }
    return victims.count
  }

  /// Deletes one thing in the trash.
  func delete(_ name: String) throws(StoreError) {
    try system { () throws(SystemCallError) in
      var pending = [Array(name.utf8)]
      while let next = pending.popLast() {
        if try unlink(next, in: directory) { continue }
        guard let open = try openForDeletion(next) else { continue }
        for entry in try open.descriptor.entryNames() where try !unlink(entry, in: open) {
          if let moved = try moveUp(entry, from: open) { pending.append(moved) }
        }
        try removeDirectory(next)
      }
    }
  }

  /// Removes an entry unless it is a directory; says whether it is gone.
  private func unlink(_ name: [UInt8], in parent: OpenDirectory) throws(SystemCallError) -> Bool {
    do {
      try parent.descriptor.unlinkEntry(name)
      return true
    } catch  where error.errno == .noSuchFile {
      return true
    } catch  where error.errno == .isADirectory {
      return false
    }
  }

  private func removeDirectory(_ name: [UInt8]) throws(SystemCallError) {
    do {
      try directory.descriptor.removeDirectoryEntry(name)
    } catch  where error.errno == .noSuchFile {
      // Somebody else was at it too.
      return
    }
  }

  /// Opens a directory in the trash, giving its owner access first; nil if it is gone.
  private func openForDeletion(_ name: [UInt8]) throws(SystemCallError) -> OpenDirectory? {
    guard let status = try directory.descriptor.status(of: name) else { return nil }
    do {
      _ = try Accessible.makeAccessible(name, status, in: directory)
      return try OpenDirectory(directory.descriptor.openEntry(name, [.directory]))
    } catch  where error.errno == .noSuchFile {
      return nil
    }
  }

  /// Moves a directory from inside another into the trash; nil if it is gone.
  private func moveUp(_ name: [UInt8], from parent: OpenDirectory) throws(SystemCallError) -> [UInt8]? {
    guard let status = try parent.descriptor.status(of: name) else { return nil }
    let newName = Array(Self.newName().utf8)
    do {
      // Its `..` changes, so its owner must be allowed to write to it.
      _ = try Accessible.makeAccessible(name, status, in: parent)
      try parent.descriptor.renameEntry(name, to: newName, in: directory.descriptor)
      return newName
    } catch  where error.errno == .noSuchFile {
      return nil
    }
  }
}
