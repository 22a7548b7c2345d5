// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Goes through all directories of a tree by descriptors: a directory first, then those in it.
///
/// It takes neither stack nor descriptors in proportion to the depth: of the directories on the way down only the
/// deepest stay open, and going up a closed one is opened again as `..` and must be the one it was.
struct TreeWalk {
  /// A directory of the tree.
  struct Directory {
    /// The directory.
    let open: OpenDirectory
    /// Where it is.
    let path: EntryPath
    /// How many bytes its path has, also where it is not kept.
    let length: Int
    /// The number of directories above it, up to the top.
    let depth: Int
  }

  /// A directory on the way from the top to where the walk is.
  private struct Level {
    /// Nil once it has been closed to save a descriptor.
    var open: OpenDirectory?
    let identity: FileIdentity
    let path: EntryPath
    let length: Int
    /// The directories in it that are still to be entered.
    var pending: [[UInt8]] = []
  }

  /// What a directory means that can't be entered any more, because others change the tree.
  enum Changes {
    /// The walk fails: what could not be looked at must not pass.
    case fail
    /// It is left out and counted.
    case leaveOut
    /// One that its owner has locked is unlocked; any other is left out and counted.
    case openUp
  }

  /// Whether the walk knows where it is.
  enum Paths {
    /// Each directory comes with its path.
    case kept
    /// All have the path of the top. A deep tree with long names has paths that take gigabytes together.
    case forgotten
  }

  /// How many directories stay open.
  private static let openLevels = 32

  private var levels: [Level] = []
  private var first: Directory?
  private let changes: Changes
  private let paths: Paths
  /// How many directories were left out.
  private(set) var leftOut = 0

  /// A walk that begins with an open directory.
  init(_ top: OpenDirectory, changes: Changes = .fail, paths: Paths = .kept) {
    first = Directory(open: top, path: .root, length: 0, depth: 0)
    self.paths = paths
    self.changes = changes
  }

  /// The next directory; nil when there is none. One that is gone is passed over.
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
    let path = paths == .kept ? level.path.appending(name) : level.path
    let length = level.length + name.count + 1
    // The levels are those from the top down to the parent.
    let depth = levels.count
    do {
      let opened = try OpenDirectory(parent.descriptor.openEntry(name, [.directory]))
      return Directory(open: opened, path: path, length: length, depth: depth)
    } catch {
      if error.errno == .noSuchFile { return nil }
      if changes == .openUp, error.errno == .permissionDenied, let opened = unlocked(name, in: parent) {
        return Directory(open: opened, path: path, length: length, depth: depth)
      }
      if changes != .fail {
        leftOut += 1
        return nil
      }
      if error.errno == .notADirectory || error.errno == .tooManyLinks {
        throw .changedDuringWalk(path: level.path.appending(name).text)
      }
      throw .system(error)
    }
  }

  /// A directory that its owner had locked. The host can unlock it, being that owner or root.
  private func unlocked(_ name: [UInt8], in parent: OpenDirectory) -> OpenDirectory? {
    guard let status = try? parent.descriptor.status(of: name), status.kind == .directory,
      (try? Accessible.makeAccessible(name, status, in: parent))?.isEmpty == false,
      let opened = try? parent.descriptor.openEntry(name, [.directory])
    else { return nil }
    return try? OpenDirectory(opened)
  }

  /// Enters entries of the directory that ``next()`` gave last, in the order given.
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

  /// Goes up, opening the directory above again if it was closed.
  private mutating func leave() throws(StoreError) {
    let left = levels.removeLast()
    guard let above = levels.last, above.open == nil, let child = left.open else { return }
    let open = try system { () throws(SystemCallError) in
      // Not beneath: the kernel refuses `..` there. The comparison below is what makes it safe.
      try OpenDirectory(FileSystem.open("..", in: .directory(child.descriptor.rawValue), [.directory]))
    }
    guard open.identity == above.identity else { throw .changedDuringWalk(path: above.path.text) }
    levels[levels.count - 1].open = open
  }
}
