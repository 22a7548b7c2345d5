// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The status of a file (stat(2)).
package struct FileStatus: Sendable, Hashable {
  /// The type of a file.
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

  /// The type of the file.
  package var kind: Kind
  /// The permission bits, including the set-user-ID, set-group-ID and sticky bits.
  package var permissions: UInt32
  /// The number of hard links.
  package var links: UInt64
  /// The UID of the owner.
  package var owner: UInt32
  /// The GID of the group.
  package var group: UInt32
  /// The length in bytes.
  package var size: Int64
  /// The bytes that are allocated on the file system.
  package var allocated: Int64
  /// The device of the file system.
  package var device: UInt64
  /// The inode number.
  package var inode: UInt64
  /// The modification time of the data, in nanoseconds since 1970.
  package var modified: Int64
  /// The access time of the data, in nanoseconds since 1970.
  package var accessed: Int64
  /// The change time of the data or the inode, in nanoseconds since 1970. No process can set it directly.
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

  /// Returns a time in nanoseconds since 1970. A time before 1677 or after 2262 is clamped.
  ///
  /// Every user can give their files such a time, so it must not terminate this process.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, tooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, alsoTooFar) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return tooFar || alsoTooFar ? (time.tv_sec < 0 ? .min : .max) : sum
  }
}

extension Descriptor {
  /// Returns the status of the open file (fstat(2)).
  package borrowing func status() throws(SystemCallError) -> FileStatus {
    try Self.status(ofNumber: rawValue)
  }

  /// Returns the status of a descriptor that the caller does not own.
  package static func status(ofNumber raw: Int32) throws(SystemCallError) -> FileStatus {
    var result = stat()
    try check("fstat") { fstat(raw, &result) }
    return FileStatus(result)
  }
}
