// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// File flags, as set by chattr(1) (ioctl_iflags(2)).
package struct FileFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  package let rawValue: UInt32
  /// Creates flags from the kernel's bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The file and its names cannot be changed. The corresponding flag is `FS_IMMUTABLE_FL`.
  package static let immutable = FileFlags(rawValue: 0x10)
  /// The file can only be appended to, and its names cannot be changed. The corresponding flag is
  /// `FS_APPEND_FL`.
  package static let appendOnly = FileFlags(rawValue: 0x20)
  /// Backups skip the file. The corresponding flag is `FS_NODUMP_FL`.
  package static let noDump = FileFlags(rawValue: 0x40)
  /// The access time is not updated. The corresponding flag is `FS_NOATIME_FL`.
  package static let noAccessTime = FileFlags(rawValue: 0x80)

  /// All flags that a user can set and that do not describe how the data is stored. They exclude, for
  /// example, encryption and extents.
  package static let foreign = FileFlags(rawValue: darkroom_foreign_file_flags())
}

extension Descriptor {
  /// Returns the flags of the open file, or no flags if the file system does not support them.
  package borrowing func flags() throws(SystemCallError) -> FileFlags {
    let raw = rawValue
    var bits: UInt32 = 0
    do {
      try check("ioctl FS_IOC_GETFLAGS") { darkroom_get_file_flags(raw, &bits) }
    } catch  where [ENOTTY, EOPNOTSUPP, ENOSYS, EINVAL].contains(error.errno.rawValue) {
      return []
    }
    return FileFlags(rawValue: bits)
  }

  /// Sets the flags of the open file. ``FileFlags/immutable`` and ``FileFlags/appendOnly`` require
  /// `CAP_LINUX_IMMUTABLE` to be set or cleared.
  package borrowing func setFlags(_ flags: FileFlags) throws(SystemCallError) {
    let raw = rawValue
    try check("ioctl FS_IOC_SETFLAGS") { darkroom_set_file_flags(raw, flags.rawValue) }
  }
}
