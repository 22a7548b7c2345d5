// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A directory that somebody wants to share: anything may be in it, until each entry has been looked at.
struct SharedAssetsTree {
  /// What has been counted.
  struct Tally {
    /// The sum of the files' lengths.
    var bytes: Int64 = 0
    /// How many files there are.
    var files: Int64 = 0
    /// How many directories there are, without the first.
    var directories: Int64 = 0
  }

  /// An entry that may be shared.
  struct Entry {
    /// The directory that it is in.
    let parent: OpenDirectory
    /// Its name there.
    let name: [UInt8]
    /// Its path below the tree.
    let path: String
    /// What it was when it was looked at.
    let status: FileStatus
  }

  /// Counting stops here: who has more entries is told so, and costs no more.
  private static let ceiling: Int64 = 100_000

  private let app: String
  private let path: String
  private let limits: SharedAssetsLimits
  private let top: OpenDirectory

  /// Opens the directory; what it is called later does not matter.
  init(_ path: String, of app: String, _ limits: SharedAssetsLimits) throws(StoreError) {
    self.app = app
    self.path = path
    self.limits = limits
    do { top = try OpenDirectory(FileSystem.open(path, [.directory])) } catch {
      let fault: SharedAssetsFault =
        switch error.errno {
        case .noSuchFile: .missing
        case .notADirectory: .noDirectory
        default: .unreadable(path: path, errno: error.errno.name)
        }
      throw .assets(app: app, directory: path, fault)
    }
  }

  /// The error that names this directory.
  func fault(_ fault: SharedAssetsFault) -> StoreError { .assets(app: app, directory: path, fault) }

  /// Looks at everything, and counts all of it before it says what is too much, so that both sizes are known.
  func survey() throws(StoreError) -> Tally {
    var tally = Tally()
    try visit { entry throws(StoreError) in
      if entry.status.kind == .directory {
        tally.directories += 1
      } else {
        tally.files += 1
        tally.bytes = saturatingSum(tally.bytes, entry.status.size)
      }
      if tally.files + tally.directories > Self.ceiling { try check(tally) }
    }
    try check(tally)
    return tally
  }

  /// Copies everything into an empty directory; nothing that has changed since the survey gets past the same rules.
  func copy(to target: borrowing Descriptor, copied: () -> Void) throws(StoreError) -> Tally {
    var tally = Tally()
    var made: [String] = []
    let raw = target.rawValue
    try visit { entry throws(StoreError) in
      if entry.status.kind == .directory {
        tally.directories += 1
        try system { () throws(SystemCallError) in
          try FileSystem.makeDirectory(entry.path, in: .directory(raw))
        }
        made.append(entry.path)
      } else {
        tally.files += 1
        tally.bytes += try copyFile(entry, to: .directory(raw), atMost: limits.bytes - tally.bytes)
      }
      try check(tally)
      copied()
    }
    try system { () throws(SystemCallError) in
      for path in made.reversed() {
        try FileSystem.open(path, in: .directory(raw), [.directory, .noFollow]).setPermissions(0o555)
      }
      try target.setPermissions(0o555)
      try target.synchronizeFileSystem()
    }
    return tally
  }

  /// Throws what is too much.
  private func check(_ tally: Tally) throws(StoreError) {
    if tally.files > limits.files { throw fault(.tooManyFiles(tally.files, limit: limits.files)) }
    if tally.directories > limits.directories {
      throw fault(.tooManyDirectories(tally.directories, limit: limits.directories))
    }
    if tally.bytes > limits.bytes { throw fault(.tooLarge(bytes: tally.bytes, limit: limits.bytes)) }
  }

  /// Goes through the tree, each directory before what is in it, and refuses what can't be shared.
  private func visit(_ body: (Entry) throws(StoreError) -> Void) throws(StoreError) {
    var walk = TreeWalk(top)
    while let directory = try walk.next() {
      var inside: [[UInt8]] = []
      let names = try system { () throws(SystemCallError) in
        try directory.open.descriptor.entryNames(atMost: Int(Self.ceiling) + 1)
      }
      for name in names {
        let status = try system { () throws(SystemCallError) in
          try directory.open.descriptor.status(of: name)
        }
        let path = directory.path.appending(name)
        // One that is gone since would leave half a set.
        guard let status else { throw .changedDuringWalk(path: path.text) }
        // Misleading names are the app's own affair.
        if let reason = NameSpelling.fault(name, .asWritten), reason != .nameMisleading {
          throw fault(.unspeakableName(path: path.text))
        }
        try judge(status, path.text)
        try body(Entry(parent: directory.open, name: name, path: path.text, status: status))
        if status.kind == .directory { inside.append(name) }
      }
      walk.descend(into: inside)
    }
  }

  /// Refuses what is no plain file and no directory.
  private func judge(_ status: FileStatus, _ path: String) throws(StoreError) {
    switch status.kind {
    case .directory:
      let depth = path.utf8.count { $0 == UInt8(ascii: "/") } + 1
      if depth > limits.depth { throw fault(.tooDeep(path: path, limit: limits.depth)) }
    case .regular:
      if status.links > 1 { throw fault(.hardLink(path: path, names: status.links)) }
      if status.permissions & 0o7000 != 0 {
        throw fault(.specialMode(path: path, permissions: status.permissions))
      }
    case .symbolicLink: throw fault(.symbolicLink(path: path))
    case .fifo, .socket, .characterDevice, .blockDevice:
      throw fault(.special(path: path, kind: status.kind.rawValue))
    }
  }

  /// Opens a file to read it.
  private func open(_ entry: Entry) throws(StoreError) -> Descriptor {
    // Not waiting, should it have become a FIFO since.
    do { return try entry.parent.descriptor.openEntry(entry.name, [.read, .nonBlocking]) } catch {
      throw fault(.unreadable(path: entry.path, errno: error.errno.name))
    }
  }

  /// Copies one file, and says how long it was. One that somebody writes to meanwhile is refused: a half is none.
  private func copyFile(_ entry: Entry, to base: PathBase, atMost room: Int64) throws(StoreError) -> Int64 {
    let source = try open(entry)
    let opened = try system { () throws(SystemCallError) in try source.status() }
    try judge(opened, entry.path)
    guard opened.kind == .regular else { throw .changedDuringWalk(path: entry.path) }
    let copied = try system { () throws(SystemCallError) in
      let target = try FileSystem.open(entry.path, in: base, [.write, .create, .exclusive, .noFollow])
      // A byte more than there is room for says that it is too much.
      let copied = try source.copy(atMost: room + 1, to: target)
      try target.setPermissions(0o444)
      return copied
    }
    let after = try system { () throws(SystemCallError) in try source.status() }
    if copied <= room, copied != after.size || after.modified != opened.modified {
      throw .changedDuringWalk(path: entry.path)
    }
    return copied
  }
}
