// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A directory of entries that are about to be deleted.
///
/// Deletion uses constant stack and descriptors, whatever the depth of a tree: each subdirectory is first
/// moved to the top level of the trash. Several processes can delete at the same time. If a process dies, the
/// next one completes its work.
package struct Trash {
  /// The amount that is deleted before a call returns.
  package enum Thoroughness: Sendable {
    /// Everything is deleted.
    case complete
    /// A limited amount is deleted. The rest stays in the trash for a later ``empty(_:)``.
    case partial

    /// The limits of the amount.
    fileprivate var budget: Budget {
      self == .complete ? Budget(entries: .max, bytes: .max) : Budget(entries: 512, bytes: 32 << 20)
    }
  }

  /// The remaining amount that may be deleted. Several entries share it, because the caller waits for all of
  /// them.
  fileprivate struct Budget {
    /// The remaining number of files and directories.
    var entries: Int
    /// The remaining allocated bytes.
    ///
    /// The last file may exceed them: freeing a large file takes time, but repeated calls must make progress.
    var bytes: Int64

    /// Whether the amount is unlimited.
    var isUnlimited: Bool { bytes == .max }

    /// Whether no amount is left.
    var isExhausted: Bool { entries <= 0 || bytes <= 0 }

    /// Subtracts the cost of an entry.
    mutating func take(_ status: FileStatus?) {
      entries -= 1
      bytes -= status?.allocated ?? 0
    }
  }

  /// The name prefix of entries to delete.
  private static let prefix = "removed-"

  private let directory: OpenDirectory
  let path: String

  /// Opens the trash of a prepared state root.
  package init(_ root: StateRoot) throws(StoreError) { try self.init(at: root.trashDirectory) }

  /// Opens a directory as trash. It must be on the file system of the deleted entries.
  init(at path: String) throws(StoreError) {
    self.path = path
    directory = try system { () throws(SystemCallError) in
      try OpenDirectory(FileSystem.open(path, [.directory, .noFollow]))
    }
  }

  private static func newName() -> String { prefix + Randomness.hexadecimal(bytes: 12) }

  /// Moves a file or directory into the trash; ``delete(_:)`` or ``empty()`` deletes it.
  ///
  /// - Returns: The name in the trash, or `nil` if the path does not exist.
  func take(_ victim: String) throws(StoreError) -> String? {
    let name = Self.newName()
    do {
      try FileSystem.rename(victim, to: "\(path)/\(name)", .noReplace)
      return name
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
  }

  /// Moves a file or directory into the trash and deletes it, completely or in part.
  func discard(_ victim: String, _ thoroughness: Thoroughness = .complete) throws(StoreError) {
    if let name = try take(victim) { try delete(name, thoroughness) }
  }

  /// Returns the names of the entries to delete.
  package func pendingNames() throws(StoreError) -> [String] {
    let names = try system { () throws(SystemCallError) in try FileSystem.names(in: path) }
    return names.filter { $0.hasPrefix(Self.prefix) }
  }

  /// Deletes all entries, completely or in part.
  ///
  /// - Returns: The number of entries that were deleted completely.
  package func empty(_ thoroughness: Thoroughness = .complete) throws(StoreError) -> Int {
    var removed = 0
    var budget = thoroughness.budget
    for name in try pendingNames() {
      if budget.isExhausted { break }
      if try delete(name, &budget) { removed += 1 }
    }
    return removed
  }

  /// Deletes one entry of the trash, completely or in part.
  ///
  /// - Returns: Whether the entry was deleted completely.
  @discardableResult
  func delete(_ name: String, _ thoroughness: Thoroughness = .complete) throws(StoreError) -> Bool {
    var budget = thoroughness.budget
    return try delete(name, &budget)
  }

  private func delete(_ name: String, _ budget: inout Budget) throws(StoreError) -> Bool {
    do throws(SystemCallError) {
      var pending = [Array(name.utf8)]
      while let next = pending.popLast() {
        guard try take(next, in: directory, &budget) else { return false }
        if try unlink(next, in: directory) { continue }
        guard let open = try openForDeletion(next) else { continue }
        for entry in try open.descriptor.entryNames(atMost: budget.entries) {
          guard try take(entry, in: open, &budget) else { return false }
          if try unlink(entry, in: open) { continue }
          if let moved = try moveUp(entry, from: open) { pending.append(moved) }
        }
        guard try removeDirectory(next) == .removed else {
          guard budget.isUnlimited else { return false }
          throw SystemCallError("unlinkat", path: "\(path)/\(name)", errno: .notEmpty)
        }
      }
      return true
    } catch { throw .system(error) }
  }

  /// Subtracts the cost of an entry, or returns `false` if no amount is left. The status is read only if the
  /// amount is limited.
  private func take(
    _ name: [UInt8],
    in parent: OpenDirectory,
    _ budget: inout Budget
  ) throws(SystemCallError) -> Bool {
    guard !budget.isExhausted else { return false }
    if !budget.isUnlimited { budget.take(try parent.descriptor.status(of: name)) }
    return true
  }

  /// Removes an entry unless it is a directory.
  ///
  /// - Returns: Whether the entry no longer exists.
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

  /// The result of removing a directory.
  private enum Removal {
    /// The directory does not exist.
    case removed
    /// The directory is not empty.
    case notEmpty
  }

  private func removeDirectory(_ name: [UInt8]) throws(SystemCallError) -> Removal {
    do {
      try directory.descriptor.removeDirectoryEntry(name)
    } catch  where error.errno == .noSuchFile {
      // Another process deleted it at the same time.
      return .removed
    } catch  where error.errno == .notEmpty {
      return .notEmpty
    }
    return .removed
  }

  /// Makes a directory in the trash accessible and opens it, or returns `nil` if it no longer exists.
  private func openForDeletion(_ name: [UInt8]) throws(SystemCallError) -> OpenDirectory? {
    guard let status = try directory.descriptor.status(of: name) else { return nil }
    do {
      _ = try OwnerAccess.makeAccessible(name, status, in: directory)
      return try OpenDirectory(directory.descriptor.openEntry(name, [.directory]))
    } catch  where error.errno == .noSuchFile {
      return nil
    }
  }

  /// Moves a subdirectory to the top level of the trash, or returns `nil` if it no longer exists.
  private func moveUp(_ name: [UInt8], from parent: OpenDirectory) throws(SystemCallError) -> [UInt8]? {
    guard let status = try parent.descriptor.status(of: name) else { return nil }
    let newName = Array(Self.newName().utf8)
    do {
      // A rename changes `..`, so the owner needs write permission on the directory.
      _ = try OwnerAccess.makeAccessible(name, status, in: parent)
      try parent.descriptor.renameEntry(name, to: newName, in: directory.descriptor)
      return newName
    } catch  where error.errno == .noSuchFile {
      return nil
    }
  }
}

extension StateRoot {
  /// Whether the trash directory exists. A state root has none before its first session.
  package func hasTrash() throws(StoreError) -> Bool {
    try system { () throws(SystemCallError) in try FileSystem.status(trashDirectory) } != nil
  }

  /// Empties the trash, including items that are added meanwhile. Returns the number of deleted items.
  package func emptyTrash() throws(StoreError) -> Int {
    guard try hasTrash() else { return 0 }
    let trash = try Trash(self)
    var deleted = 0
    while try !trash.pendingNames().isEmpty {
      let more = try trash.empty()
      deleted += more
      if more == 0 { break }
    }
    return deleted
  }
}
