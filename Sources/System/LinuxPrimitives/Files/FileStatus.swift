// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// What the kernel knows of a file (stat(2)).
package struct FileStatus: Sendable, Hashable {
  /// The kinds of file.
  package enum Kind: String, Sendable {
    /// A regular file.
    case regular = "regular file"
    /// A directory.
    case directory = "directory"
    /// A symbolic link.
    case symbolicLink = "symbolic link"
    /// A FIFO.
    case fifo = "FIFO"
    /// A socket.
    case socket = "socket"
    /// A character device.
    case characterDevice = "character device"
    /// A block device.
    case blockDevice = "block device"
  }

  /// The kind of file.
  package var kind: Kind
  /// The permission bits, with set-user-ID, set-group-ID and sticky.
  package var permissions: UInt32
  /// The number of hard links.
  package var links: UInt64
  /// The owner.
  package var owner: UInt32
  /// The group.
  package var group: UInt32
  /// The length in bytes.
  package var size: Int64
  /// The bytes that are really taken on the file system.
  package var allocated: Int64
  /// The device that the file system is on.
  package var device: UInt64
  /// The number of the inode.
  package var inode: UInt64
  /// The time of the last change of its data, in nanoseconds since 1970.
  package var modified: Int64
  /// The time of the last access to its data, in nanoseconds since 1970.
  package var accessed: Int64
  /// The time of the last change of its data or of what the kernel knows of it, in nanoseconds since 1970; nobody can
  /// set it.
  package var changed: Int64

  init(_ status: stat) {
    kind =
      switch darkroom_file_type(status.st_mode) {
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      case S_IFCHR: .characterDevice
      case S_IFBLK: .blockDevice
      default: .regular
      }
    permissions = status.st_mode & 0o7777
    links = UInt64(status.st_nlink)
    owner = status.st_uid
    group = status.st_gid
    size = Int64(status.st_size)
    allocated = Int64(status.st_blocks) * 512
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    modified = Self.nanoseconds(status.st_mtim)
    accessed = Self.nanoseconds(status.st_atim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  /// A moment in nanoseconds; one that does not fit, before 1677 or after 2262, is the nearest that does.
  ///
  /// Anybody can give a file of theirs such a time, so it must not end this process.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, tooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, alsoTooFar) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return tooFar || alsoTooFar ? (time.tv_sec < 0 ? .min : .max) : sum
  }
}

extension Descriptor {
  /// What the kernel knows of the open file (fstat(2)).
  package borrowing func status() throws(SystemCallError) -> FileStatus {
    try Self.status(ofNumber: rawValue)
  }

  /// The same of a descriptor that somebody else owns.
  package static func status(ofNumber raw: Int32) throws(SystemCallError) -> FileStatus {
    var result = stat()
    try check("fstat") { fstat(raw, &result) }
    return FileStatus(result)
  }
}
