// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A directory to be shared. Its contents are untrusted until each entry has been checked.
struct SharedAssetsTree {
  /// Totals of a tree.
  struct Tally {
    /// The sum of the file sizes in bytes.
    var bytes: Int64 = 0
    /// The number of files.
    var files: Int64 = 0
    /// The number of directories below the top.
    var directories: Int64 = 0
  }

  /// An entry that passed the checks.
  struct Entry {
    /// The directory that contains the entry.
    let parent: OpenDirectory
    /// The name of the entry in its directory.
    let name: [UInt8]
    /// The path relative to the top.
    let path: String
    /// The status of the entry when it was checked.
    let status: FileStatus
  }

  /// The number of entries at which counting stops, so that a huge tree costs no more.
  private static let ceiling: Int64 = 100_000

  private let app: String
  private let path: String
  private let limits: SharedAssetsLimits
  private let top: OpenDirectory

  /// Opens the directory. Later renames of its path have no effect.
  init(_ path: String, of app: String, _ limits: SharedAssetsLimits) throws(StoreError) {
    self.app = app
    self.path = path
    self.limits = limits
    do { top = try OpenDirectory(FileSystem.open(path, [.directory])) } catch {
      let fault: SharedAssetsFault =
        switch error.errno {
        case .noSuchFile: .missing
        case .notADirectory: .notADirectory
        default: .unreadable(path: path, errno: error.errno.name)
        }
      throw .assets(app: app, directory: path, fault)
    }
  }

  /// Returns the error that names this directory.
  func fault(_ fault: SharedAssetsFault) -> StoreError { .assets(app: app, directory: path, fault) }

  /// Checks and counts all entries.
  ///
  /// Limits are applied only after counting, so that the error contains the actual size.
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

  /// Copies all entries into an empty directory. The same checks apply, because the tree may have changed
  /// since the survey.
  func copy(to target: borrowing Descriptor, copied: () -> Void) throws(StoreError) -> Tally {
    var tally = Tally()
    var createdDirectories: [String] = []
    let raw = target.rawValue
    try visit { entry throws(StoreError) in
      if entry.status.kind == .directory {
        tally.directories += 1
        try system { () throws(SystemCallError) in
          try FileSystem.makeDirectory(entry.path, in: .directory(raw))
        }
        createdDirectories.append(entry.path)
      } else {
        tally.files += 1
        tally.bytes += try copyFile(entry, to: .directory(raw), atMost: limits.bytes - tally.bytes)
      }
      try check(tally)
      copied()
    }
    try system { () throws(SystemCallError) in
      for path in createdDirectories.reversed() {
        try FileSystem.open(path, in: .directory(raw), [.directory, .noFollow]).setPermissions(0o555)
      }
      try target.setPermissions(0o555)
      try target.synchronizeFileSystem()
    }
    return tally
  }

  /// Throws if a total exceeds its limit.
  private func check(_ tally: Tally) throws(StoreError) {
    if tally.files > limits.files { throw fault(.tooManyFiles(tally.files, limit: limits.files)) }
    if tally.directories > limits.directories {
      throw fault(.tooManyDirectories(tally.directories, limit: limits.directories))
    }
    if tally.bytes > limits.bytes { throw fault(.tooLarge(bytes: tally.bytes, limit: limits.bytes)) }
  }

  /// Visits all entries, each directory before its contents, and throws at the first entry that cannot be
  /// shared.
  private func visit(_ body: (Entry) throws(StoreError) -> Void) throws(StoreError) {
    var walk = TreeWalk(top)
    while let directory = try walk.next() {
      var subdirectories: [[UInt8]] = []
      let names = try system { () throws(SystemCallError) in
        try directory.open.descriptor.entryNames(atMost: Int(Self.ceiling) + 1)
      }
      for name in names {
        let status = try system { () throws(SystemCallError) in
          try directory.open.descriptor.status(of: name)
        }
        let path = directory.path.appending(name)
        // Skipping a removed entry would publish an incomplete set.
        guard let status else { throw .changedDuringWalk(path: path.text) }
        // The app chooses its own file names, so misleading ones are accepted.
        if let reason = NameSpelling.fault(name, .asWritten), reason != .nameMisleading {
          throw fault(.undisplayableName(path: path.text))
        }
        try validate(status, path.text)
        try body(Entry(parent: directory.open, name: name, path: path.text, status: status))
        if status.kind == .directory { subdirectories.append(name) }
      }
      walk.descend(into: subdirectories)
    }
  }

  /// Throws unless the entry is a directory within the depth limit, or a regular file with one link and
  /// without special bits.
  private func validate(_ status: FileStatus, _ path: String) throws(StoreError) {
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
      throw fault(.specialFile(path: path, kind: status.kind.rawValue))
    }
  }

  /// Opens a file for reading.
  private func open(_ entry: Entry) throws(StoreError) -> Descriptor {
    // Nonblocking, because the file may have been replaced by a FIFO.
    do { return try entry.parent.descriptor.openEntry(entry.name, [.read, .nonBlocking]) } catch {
      throw fault(.unreadable(path: entry.path, errno: error.errno.name))
    }
  }

  /// Copies a file and returns its size. Throws if another process changes the file during the copy.
  private func copyFile(_ entry: Entry, to base: PathBase, atMost remaining: Int64) throws(StoreError)
    -> Int64
  {
    let source = try open(entry)
    let opened = try system { () throws(SystemCallError) in try source.status() }
    try validate(opened, entry.path)
    guard opened.kind == .regular else { throw .changedDuringWalk(path: entry.path) }
    let copied = try system { () throws(SystemCallError) in
      let target = try FileSystem.open(entry.path, in: base, [.write, .create, .exclusive, .noFollow])
      // One byte beyond the remaining limit is enough to detect that the limit is exceeded.
      let copied = try source.copy(atMost: remaining + 1, to: target)
      try target.setPermissions(0o444)
      return copied
    }
    let after = try system { () throws(SystemCallError) in try source.status() }
    if copied <= remaining, copied != after.size || after.modified != opened.modified {
      throw .changedDuringWalk(path: entry.path)
    }
    return copied
  }
}
