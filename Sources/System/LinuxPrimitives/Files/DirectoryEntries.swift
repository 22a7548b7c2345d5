// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Operations on the entries of an open directory. Entry names are bytes, as the kernel permits them.
extension Descriptor {
  /// Returns a name with a terminating zero.
  static func terminated(_ name: [UInt8]) -> [CChar] { name.map { CChar(bitPattern: $0) } + [0] }

  /// Returns the status of an entry, not following a symbolic link (fstatat(2)), or `nil` if the entry does
  /// not exist.
  package borrowing func status(of name: [UInt8]) throws(SystemCallError) -> FileStatus? {
    let raw = rawValue
    let name = Self.terminated(name)
    var result = stat()
    do {
      try check("fstatat") { fstatat(raw, name, &result, AT_SYMLINK_NOFOLLOW) }
    } catch  where error.errno == .noSuchFile {
      return nil
    }
    return FileStatus(result)
  }

  /// Returns the creation time of an entry in nanoseconds since 1970 (statx(2), `STATX_BTIME`), not following
  /// a symbolic link. Returns `nil` if the entry does not exist or its file system does not record the time.
  ///
  /// The creation time distinguishes a removed file from a new file with the same inode number.
  package borrowing func birth(of name: [UInt8]) -> Int64? {
    let raw = rawValue
    let name = Self.terminated(name)
    var result = statx()
    guard statx(raw, name, AT_SYMLINK_NOFOLLOW, UInt32(STATX_BTIME), &result) == 0,
      result.stx_mask & UInt32(STATX_BTIME) != 0
    else { return nil }
    let (time, tooFar) = result.stx_btime.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
    return tooFar ? nil : time &+ Int64(result.stx_btime.tv_nsec)
  }

  /// Opens an entry, following no symbolic link and crossing no mount point (``BeneathOpening``).
  package borrowing func openEntry(_ name: [UInt8], _ flags: OpenFlags) throws(SystemCallError) -> Descriptor
  {
    try BeneathOpening.open(Self.terminated(name), below: rawValue, flags.union(.noFollow))
  }

  /// Removes an entry that is not a directory (unlinkat(2)).
  package borrowing func unlinkEntry(_ name: [UInt8]) throws(SystemCallError) {
    let raw = rawValue
    let name = Self.terminated(name)
    try check("unlinkat") { unlinkat(raw, name, 0) }
  }

  /// Removes an entry that is an empty directory (unlinkat(2), `AT_REMOVEDIR`).
  package borrowing func removeDirectoryEntry(_ name: [UInt8]) throws(SystemCallError) {
    let raw = rawValue
    let name = Self.terminated(name)
    try check("unlinkat") { unlinkat(raw, name, AT_REMOVEDIR) }
  }

  /// Makes all data written to the file system of this descriptor durable (syncfs(2)).
  package borrowing func synchronizeFileSystem() throws(SystemCallError) {
    let raw = rawValue
    try check("syncfs") { syncfs(raw) }
  }
}
