// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The starting point of a relative path.
package enum PathBase {
  /// The current directory. The corresponding value is `AT_FDCWD`.
  case current
  /// An open directory. The descriptor must stay valid during the call.
  case directory(Int32)

  var rawValue: Int32 {
    switch self {
    case .current: AT_FDCWD
    case .directory(let descriptor): descriptor
    }
  }
}

/// The flags for opening a file (open(2)).
package struct OpenFlags: OptionSet, Sendable {
  /// The kernel's bits.
  package let rawValue: Int32
  /// Creates flags from the kernel's bits.
  package init(rawValue: Int32) { self.rawValue = rawValue }
  /// Creates flags from an array literal. The generic initializer of the standard library looks up types at
  /// run time when a command opens its first file.
  package init(arrayLiteral flags: OpenFlags...) {
    self.init(rawValue: flags.reduce(0) { $0 | $1.rawValue })
  }

  /// The corresponding flag is `O_RDONLY`.
  package static let read = OpenFlags([])
  /// The corresponding flag is `O_WRONLY`.
  package static let write = OpenFlags(rawValue: O_WRONLY)
  /// The corresponding flag is `O_RDWR`.
  package static let readWrite = OpenFlags(rawValue: O_RDWR)
  /// The corresponding flag is `O_CREAT`.
  package static let create = OpenFlags(rawValue: O_CREAT)
  /// The corresponding flag is `O_EXCL`.
  package static let exclusive = OpenFlags(rawValue: O_EXCL)
  /// The corresponding flag is `O_TRUNC`.
  package static let truncate = OpenFlags(rawValue: O_TRUNC)
  /// The corresponding flag is `O_APPEND`.
  package static let append = OpenFlags(rawValue: O_APPEND)
  /// The corresponding flag is `O_DIRECTORY`.
  package static let directory = OpenFlags(rawValue: O_DIRECTORY)
  /// The corresponding flag is `O_NOFOLLOW`.
  package static let noFollow = OpenFlags(rawValue: O_NOFOLLOW)
  /// The corresponding flag is `O_NONBLOCK`.
  package static let nonBlocking = OpenFlags(rawValue: O_NONBLOCK)
  /// The corresponding flag is `O_PATH`.
  package static let path = OpenFlags(rawValue: O_PATH)
  /// The corresponding flag is `O_NOCTTY`.
  package static let noTerminal = OpenFlags(rawValue: O_NOCTTY)
}

/// Operations on the file system.
package enum FileSystem {
  /// Opens a file (openat(2)).
  package static func open(
    _ path: String,
    in base: PathBase = .current,
    _ flags: OpenFlags,
    mode: UInt32 = 0o600
  ) throws(SystemCallError) -> Descriptor {
    Descriptor(
      owning: try check("openat", path: path) {
        darkroom_openat(base.rawValue, path, flags.rawValue | O_CLOEXEC, mode)
      }
    )
  }

  /// Opens a file below a directory, following no symbolic link and crossing no mount point
  /// (``BeneathOpening``).
  package static func openBeneath(
    _ directory: borrowing Descriptor,
    _ path: String,
    _ flags: OpenFlags
  ) throws(SystemCallError) -> Descriptor {
    try BeneathOpening.open(Array(path.utf8CString), below: directory.rawValue, flags, name: path)
  }

  /// Creates a directory (mkdirat(2)).
  package static func makeDirectory(
    _ path: String,
    in base: PathBase = .current,
    mode: UInt32 = 0o700
  ) throws(SystemCallError) {
    try check("mkdirat", path: path) { mkdirat(base.rawValue, path, mode) }
  }

  /// Creates a directory and its missing parents.
  package static func makeDirectories(_ path: String, mode: UInt32 = 0o700) throws(SystemCallError) {
    do {
      try makeDirectory(path, mode: mode)
    } catch  where error.errno == .fileExists {
      return
    } catch  where error.errno == .noSuchFile {
      guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { throw error }
      try makeDirectories(String(path[..<slash]), mode: mode)
      // Another process may have created the directory in the meantime.
      do { try makeDirectory(path, mode: mode) } catch  where error.errno == .fileExists { return }
    }
  }

  /// Creates a directory with access for its owner only and makes it durable. An existing directory is left
  /// as it is.
  package static func prepareDirectory(_ path: String) throws(SystemCallError) {
    do {
      try makeDirectory(path)
      try synchronizeDirectory(directoryName(path))
    } catch  where error.errno == .fileExists {
      return
    }
  }

  /// Creates a directory as ``prepareDirectory(_:)`` does, with its missing parents.
  package static func prepareDirectories(_ path: String) throws(SystemCallError) {
    do { try prepareDirectory(path) } catch  where error.errno == .noSuchFile {
      let parent = directoryName(path)
      guard parent != path, parent != "." else { throw error }
      try prepareDirectories(parent)
      try prepareDirectory(path)
    }
  }

  /// Returns the status of the file at a path, not following a final symbolic link (fstatat(2)), or `nil` if
  /// there is no file.
  package static func status(
    _ path: String,
    in base: PathBase = .current
  ) throws(SystemCallError) -> FileStatus? {
    var result = stat()
    do {
      try check("fstatat", path: path) { fstatat(base.rawValue, path, &result, AT_SYMLINK_NOFOLLOW) }
    } catch  where error.errno == .noSuchFile || error.errno == .notADirectory {
      return nil
    }
    return FileStatus(result)
  }

  /// Moves a file to another directory (renameat2(2)), including a file that has both the old and the new
  /// name.
  ///
  /// On btrfs, a power failure after the fsync of only the new directory can leave both names, and a rename
  /// of a file over itself does nothing.
  package static func moveFile(_ old: String, to new: String, _ rule: RenameRule) throws(SystemCallError) {
    do { try rename(old, to: new, rule) } catch  where error.errno == .fileExists {
      guard try isSameFile(old, new) else { throw error }
    }
    if try isSameFile(old, new) { try unlink(old) }
  }

  /// Returns whether two paths are names of the same file.
  private static func isSameFile(_ one: String, _ other: String) throws(SystemCallError) -> Bool {
    guard let first = try status(one), let second = try status(other) else { return false }
    return first.inode == second.inode && first.device == second.device
  }

  /// Removes a file name (unlinkat(2)).
  package static func unlink(_ path: String, in base: PathBase = .current) throws(SystemCallError) {
    try check("unlinkat", path: path) { unlinkat(base.rawValue, path, 0) }
  }

  /// Removes an empty directory (unlinkat(2) with `AT_REMOVEDIR`).
  package static func removeDirectory(_ path: String, in base: PathBase = .current) throws(SystemCallError) {
    try check("unlinkat", path: path) { unlinkat(base.rawValue, path, AT_REMOVEDIR) }
  }

  /// Makes the entries of a directory durable (fsync(2)).
  package static func synchronizeDirectory(
    _ path: String,
    in base: PathBase = .current
  ) throws(SystemCallError) {
    try open(path, in: base, [.directory]).synchronize()
  }

  /// Returns the absolute path without symbolic links, `.` and `..` (realpath(3)).
  package static func realPath(_ path: String) throws(SystemCallError) -> String {
    guard let resolved = realpath(path, nil) else { throw SystemCallError("realpath", path: path) }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the contents of a file or named pipe, or `nil` if there are more than `limit` bytes.
  package static func contents(
    _ path: String,
    in base: PathBase = .current,
    limit: Int = 1 << 24
  ) throws(SystemCallError) -> [UInt8]? {
    let file = try open(path, in: base, .read)
    do { return try file.readAll(limit: limit) } catch {
      throw SystemCallError("read", path: path, errno: error.errno)
    }
  }

  /// Replaces the contents of a file atomically: after a crash the file has the old or the new contents.
  ///
  /// The steps are a temporary file in the same directory, fsync, rename, and fsync of the directory.
  package static func replaceContents(
    _ path: String,
    with bytes: [UInt8],
    mode: UInt32 = 0o600
  ) throws(SystemCallError) {
    try replaceContents(path, mode: mode) { (file) throws(SystemCallError) in try file.writeAll(bytes) }
  }

  /// Replaces the contents of a file atomically with data that `write` writes. `write` may be called again
  /// from the beginning.
  package static func replaceContents(
    _ path: String,
    mode: UInt32 = 0o600,
    _ write: (borrowing Descriptor) throws(SystemCallError) -> Void
  ) throws(SystemCallError) {
    while try !attemptReplacement(path, mode, write) {}
    try synchronizeDirectory(directoryName(path))
  }

  /// Writes the new contents and renames the file. Returns `false` if another process removed the temporary
  /// file as abandoned, in one of the two moments in which it is not locked.
  private static func attemptReplacement(
    _ path: String,
    _ mode: UInt32,
    _ write: (borrowing Descriptor) throws(SystemCallError) -> Void
  ) throws(SystemCallError) -> Bool {
    let temporary = UnfinishedFile.path(replacing: path)
    do {
      guard let file = try UnfinishedFile.make(temporary, mode: mode) else { return false }
      try write(file)
      try file.synchronize()
      UnfinishedFile.release(file)
      try rename(temporary, to: path, .replace)
      return true
    } catch {
      let isThere = (try? status(temporary)).flatMap { $0 } != nil
      try? unlink(temporary)
      // Only a process that cleans up abandoned files removes it, and only while it is not locked.
      if !isThere, error.call == "renameat2", error.errno == .noSuchFile { return false }
      throw error
    }
  }

  /// Returns the path of the directory that contains `path`.
  package static func directoryName(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last component of a path.
  package static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns the bytes that an unprivileged user may still use on the file system of `path` (statvfs(3)).
  package static func freeSpace(_ path: String) throws(SystemCallError) -> UInt64 {
    var result = statvfs()
    try check("statvfs", path: path) { statvfs(path, &result) }
    return UInt64(result.f_bavail) * UInt64(result.f_frsize)
  }
}
