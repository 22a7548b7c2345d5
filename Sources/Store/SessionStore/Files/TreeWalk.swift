// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A walk over all directories of a tree, each before its subdirectories.
///
/// It uses constant stack and descriptors, whatever the depth. Only the deepest directories stay open; on the
/// way up, a closed parent is reopened as `..` and must have the same identity.
struct TreeWalk {
  /// A directory of the tree.
  struct Directory {
    let open: OpenDirectory
    /// The path, as configured by ``Paths``.
    let path: EntryPath
    /// The length of the path in bytes, even if paths are omitted.
    let length: Int
    /// The number of ancestors up to the top.
    let depth: Int
  }

  /// An ancestor of the current directory, or the directory itself.
  private struct Level {
    /// The open directory, or `nil` after it was closed to save a descriptor.
    var open: OpenDirectory?
    let identity: FileIdentity
    let path: EntryPath
    let length: Int
    /// The subdirectories that are still to be visited.
    var pending: [[UInt8]] = []
  }

  /// The handling of directories that cannot be opened, because other processes change the tree.
  enum Changes {
    /// The walk fails, because an unverified directory must not be accepted.
    case fail
    /// The directory is skipped and counted.
    case skip
    /// A directory without owner access is made accessible. Any other directory is skipped and counted.
    case unlock
  }

  /// Whether the walk tracks paths.
  enum Paths {
    /// Each directory has its path.
    case included
    /// Each directory has the path of the top. The paths of a deep tree with long names can take gigabytes.
    case omitted
  }

  /// The maximum number of open directories.
  private static let openLevels = 32

  private var levels: [Level] = []
  private var first: Directory?
  private let changes: Changes
  private let paths: Paths
  /// The number of skipped directories.
  private(set) var skippedCount = 0

  /// Creates a walk that starts with an open directory.
  init(_ top: OpenDirectory, changes: Changes = .fail, paths: Paths = .included) {
    first = Directory(open: top, path: .root, length: 0, depth: 0)
    self.paths = paths
    self.changes = changes
  }

  /// Returns the next directory, or `nil` at the end. Removed directories are skipped.
  mutating func next() throws(StoreError) -> Directory? {
    if let first {
      self.first = nil
      enter(first)
      return first
    }
    while let current = levels.last?.open {
      guard let name = levels[levels.count - 1].pending.popLast() else {
        try leave()
        continue
      }
      if let directory = try open(name, in: current, levels[levels.count - 1]) {
        enter(directory)
        return directory
      }
    }
    return nil
  }

  private mutating func open(
    _ name: [UInt8],
    in parent: OpenDirectory,
    _ level: Level
  ) throws(StoreError) -> Directory? {
    let path = paths == .included ? level.path.appending(name) : level.path
    let length = level.length + name.count + 1
    // The levels are the directories from the top to the parent.
    let depth = levels.count
    do {
      let opened = try OpenDirectory(parent.descriptor.openEntry(name, [.directory]))
      return Directory(open: opened, path: path, length: length, depth: depth)
    } catch {
      if error.errno == .noSuchFile { return nil }
      if changes == .unlock, error.errno == .permissionDenied, let opened = unlocked(name, in: parent) {
        return Directory(open: opened, path: path, length: length, depth: depth)
      }
      if changes != .fail {
        skippedCount += 1
        return nil
      }
      if error.errno == .notADirectory || error.errno == .tooManyLinks {
        throw .changedDuringWalk(path: level.path.appending(name).text)
      }
      throw .system(error)
    }
  }

  /// Restores owner access to a directory and opens it. This works if the host is the owner or root.
  private func unlocked(_ name: [UInt8], in parent: OpenDirectory) -> OpenDirectory? {
    guard let status = try? parent.descriptor.status(of: name), status.kind == .directory,
      (try? OwnerAccess.makeAccessible(name, status, in: parent))?.isEmpty == false,
      let opened = try? parent.descriptor.openEntry(name, [.directory])
    else { return nil }
    return try? OpenDirectory(opened)
  }

  /// Adds subdirectories of the directory that ``next()`` returned last. They are visited in the given order.
  mutating func descend(into names: [[UInt8]]) {
    guard !levels.isEmpty else { return }
    levels[levels.count - 1].pending.append(contentsOf: names.reversed())
  }

  private mutating func enter(_ directory: Directory) {
    levels.append(
      Level(
        open: directory.open,
        identity: directory.open.identity,
        path: directory.path,
        length: directory.length
      )
    )
    if levels.count > Self.openLevels { levels[levels.count - 1 - Self.openLevels].open = nil }
  }

  /// Moves to the parent, and reopens it if it was closed.
  private mutating func leave() throws(StoreError) {
    let left = levels.removeLast()
    guard let above = levels.last, above.open == nil, let child = left.open else { return }
    let open = try system { () throws(SystemCallError) in
      // Not with `RESOLVE_BENEATH`, which rejects `..` here. The identity check below makes this safe.
      try OpenDirectory(FileSystem.open("..", in: .directory(child.descriptor.rawValue), [.directory]))
    }
    guard open.identity == above.identity else { throw .changedDuringWalk(path: above.path.text) }
    levels[levels.count - 1].open = open
  }
}
