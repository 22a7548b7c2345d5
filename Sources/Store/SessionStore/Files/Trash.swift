// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The directory of what is about to be deleted.
///
/// Deleting takes neither stack nor descriptors in proportion to the depth of a tree: a directory in a directory is
/// moved up into the trash and then is one like any other. Several may be at it at once, and whoever ends in the middle
/// leaves the rest to the next.
package struct Trash {
  /// How much is deleted before whoever asks goes on.
  package enum Thoroughness: Sendable {
    /// All of it.
    case whole
    /// A little; what is more stays in the trash, for whoever empties that.
    case beginning

    /// What is removed at most.
    fileprivate var allowance: Allowance {
      self == .whole ? Allowance(entries: .max, bytes: .max) : Allowance(entries: 512, bytes: 32 << 20)
    }
  }

  /// What may still be removed: of many things together, because whoever waits waits for all of them.
  fileprivate struct Allowance {
    /// So many files and directories.
    var entries: Int
    /// So much of the file system, and what the last of them has more: the kernel takes its time to free a large file,
    /// too, but whoever begins again and again is to come to the end.
    var bytes: Int64

    /// Whether there is no end to it.
    var isUnlimited: Bool { bytes == .max }

    /// Whether nothing is left.
    var isSpent: Bool { entries <= 0 || bytes <= 0 }

    /// Takes what an entry needs.
    mutating func take(_ status: FileStatus?) {
      entries -= 1
      bytes -= status?.allocated ?? 0
    }
  }

  /// What the names begin with of things that nobody needs any more.
  private static let prefix = "removed-"

  private let directory: OpenDirectory
  let path: String

  /// The trash of a state root that is prepared.
  package init(_ root: StateRoot) throws(StoreError) { try self.init(at: root.trashDirectory) }

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

  /// Takes something away from its place and deletes it, or begins to.
  func discard(_ victim: String, _ thoroughness: Thoroughness = .whole) throws(StoreError) {
    if let name = try take(victim) { try delete(name, thoroughness) }
  }

  /// What nobody needs any more.
  package func waiting() throws(StoreError) -> [String] {
    let names = try system { () throws(SystemCallError) in try FileSystem.names(in: path) }
    return names.filter { $0.hasPrefix(Self.prefix) }
  }

  /// Deletes everything that nobody needs any more, or begins to, and says how many things are gone.
  package func empty(_ thoroughness: Thoroughness = .whole) throws(StoreError) -> Int {
    var gone = 0
    var allowance = thoroughness.allowance
    for name in try waiting() {
      if allowance.isSpent { break }
      if try delete(name, &allowance) { gone += 1 }
    }
    return gone
  }

  /// Deletes one thing in the trash, or begins to; says whether all of it is gone.
  @discardableResult
  func delete(_ name: String, _ thoroughness: Thoroughness = .whole) throws(StoreError) -> Bool {
    var allowance = thoroughness.allowance
    return try delete(name, &allowance)
  }

  private func delete(_ name: String, _ allowance: inout Allowance) throws(StoreError) -> Bool {
    do throws(SystemCallError) {
      var pending = [Array(name.utf8)]
      while let next = pending.popLast() {
        guard try take(next, in: directory, &allowance) else { return false }
        if try unlink(next, in: directory) { continue }
        guard let open = try openForDeletion(next) else { continue }
        for entry in try open.descriptor.entryNames(atMost: allowance.entries) {
          guard try take(entry, in: open, &allowance) else { return false }
          if try unlink(entry, in: open) { continue }
          if let moved = try moveUp(entry, from: open) { pending.append(moved) }
        }
        guard try removeDirectory(next) == .gone else {
          guard allowance.isUnlimited else { return false }
          throw SystemCallError("unlinkat", path: "\(path)/\(name)", errno: .notEmpty)
        }
      }
      return true
    } catch { throw .system(error) }
  }

  /// Takes what an entry needs, if anything is left; where there is an end to it, the entry is looked at for that.
  private func take(
    _ name: [UInt8],
    in parent: OpenDirectory,
    _ allowance: inout Allowance
  ) throws(SystemCallError) -> Bool {
    guard !allowance.isSpent else { return false }
    if !allowance.isUnlimited { allowance.take(try parent.descriptor.status(of: name)) }
    return true
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

  /// What became of a directory.
  private enum Removal {
    /// It is not there any more.
    case gone
    /// There is something in it.
    case full
  }

  private func removeDirectory(_ name: [UInt8]) throws(SystemCallError) -> Removal {
    do {
      try directory.descriptor.removeDirectoryEntry(name)
    } catch  where error.errno == .noSuchFile {
      // Somebody else was at it too.
      return .gone
    } catch  where error.errno == .notEmpty {
      return .full
    }
    return .gone
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

extension StateRoot {
  /// Whether there is a trash: a root in which there was no session yet has none.
  package func hasTrash() throws(StoreError) -> Bool {
    try system { () throws(SystemCallError) in try FileSystem.status(trashDirectory) } != nil
  }
}
