// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension FileSystem {
  /// The behavior of a rename if the new name exists.
  package enum RenameRule: Sendable {
    /// The existing file is replaced.
    case replace
    /// The rename fails with `EEXIST`. No other process creates a file with this name in the meantime: the
    /// name is random, or a lock of the caller covers it. The corresponding flag is `RENAME_NOREPLACE`.
    case noReplace
    /// The rename fails with `EEXIST`, even if another process creates a file with this name in the meantime.
    /// Only the caller uses the old name. The corresponding flag is `RENAME_NOREPLACE`.
    case noReplaceContended
    /// The two files exchange their names. The corresponding flag is `RENAME_EXCHANGE`.
    case exchange

    fileprivate var flags: UInt32 {
      switch self {
      case .replace: 0
      case .noReplace, .noReplaceContended: UInt32(RENAME_NOREPLACE)
      case .exchange: UInt32(RENAME_EXCHANGE)
      }
    }
  }

  /// Renames a file (renameat2(2)).
  package static func rename(
    _ old: String,
    in oldBase: PathBase = .current,
    to new: String,
    in newBase: PathBase = .current,
    _ rule: RenameRule
  ) throws(SystemCallError) {
    let (from, to) = (Array(old.utf8CString), Array(new.utf8CString))
    do {
      try Renaming(from: from, in: oldBase.rawValue, to: to, in: newBase.rawValue).run(rule)
    } catch { throw SystemCallError("renameat2", path: "\(old) -> \(new)", errno: error.errno) }
  }

  /// Exchanges the names of two files. If the file system does not support this, or `path` does not exist,
  /// the file at `other` replaces `path`.
  ///
  /// A replacing rename frees the replaced file before it returns, which takes several times as long on a
  /// file system that discards blocks.
  package static func exchange(_ path: String, with other: String) throws(SystemCallError) {
    do { try rename(other, to: path, .exchange) } catch
      where error.errno == .noSuchFile || Renaming.isUnavailable(error.errno)
    { try rename(other, to: path, .replace) }
  }
}

extension Descriptor {
  /// Moves an entry to another open directory, or renames it (renameat2(2)).
  package borrowing func renameEntry(
    _ name: [UInt8],
    to newName: [UInt8],
    in other: borrowing Descriptor,
    _ rule: FileSystem.RenameRule = .noReplace
  ) throws(SystemCallError) {
    let (from, to) = (Self.terminated(name), Self.terminated(newName))
    try Renaming(from: from, in: rawValue, to: to, in: other.rawValue).run(rule)
  }
}

/// A rename operation with fallbacks.
///
/// Some file systems do not support the flags of renameat2(2), and some system call filters refuse the call.
/// A rename that must not replace a file then uses other calls. No file can be lost, and a file cannot have
/// two names after a crash where this matters.
struct Renaming {
  let from: [CChar]
  let oldDirectory: Int32
  let to: [CChar]
  let newDirectory: Int32

  init(from: [CChar], in oldDirectory: Int32, to: [CChar], in newDirectory: Int32) {
    (self.from, self.oldDirectory, self.to, self.newDirectory) = (from, oldDirectory, to, newDirectory)
  }

  /// Returns whether an error means that the flags of renameat2(2) are unavailable. An error with another
  /// cause is returned by the fallback calls again.
  static func isUnavailable(_ errno: Errno) -> Bool {
    // glibc returns EINVAL for ENOSYS.
    [.invalidArgument, .notSupported, .notImplemented].contains(errno)
      || darkroom_is_refused(darkroom_replaced_renameat2) != 0
  }

  /// Renames the file.
  func run(_ rule: FileSystem.RenameRule) throws(SystemCallError) {
    do {
      try check("renameat2") { renameat2(oldDirectory, from, newDirectory, to, rule.flags) }
    } catch  where Self.isUnavailable(error.errno) {
      switch rule {
      case .replace, .exchange: throw error
      case .noReplace: try moveToUnusedName()
      case .noReplaceContended: try moveToContendedName()
      }
    }
  }

  /// Moves the file if the new name does not exist.
  ///
  /// A file that another process creates between the two calls would be replaced. A directory replaces at
  /// most an empty directory (rename(2)).
  func moveToUnusedName() throws(SystemCallError) {
    guard try status(to, in: newDirectory) == nil else {
      throw SystemCallError("renameat2", errno: .fileExists)
    }
    do {
      try check("renameat2") { renameat(oldDirectory, from, newDirectory, to) }
    } catch  where error.errno == .notEmpty || error.errno == .isADirectory || error.errno == .notADirectory {
      guard try status(to, in: newDirectory) != nil else { throw error }
      throw SystemCallError("renameat2", errno: .fileExists)
    }
  }

  /// Links the file to the new name before removing the old name. No other process can interfere, but after a
  /// crash the file may have both names. A directory can have only one name.
  func moveToContendedName() throws(SystemCallError) {
    let found = try status(from, in: oldDirectory)
    if found?.kind == .directory { return try moveToUnusedName() }
    try check("linkat") { linkat(oldDirectory, from, newDirectory, to, 0) }
    try check("unlinkat") { unlinkat(oldDirectory, from, 0) }
  }

  private func status(_ name: [CChar], in directory: Int32) throws(SystemCallError) -> FileStatus? {
    var result = stat()
    do {
      try check("fstatat") { fstatat(directory, name, &result, AT_SYMLINK_NOFOLLOW) }
    } catch  where error.errno == .noSuchFile {
      return nil
    }
    return FileStatus(result)
  }
}
