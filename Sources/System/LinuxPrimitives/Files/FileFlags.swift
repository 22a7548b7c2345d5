// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Flags of a file that chattr(1) sets (ioctl_iflags(2)).
package struct FileFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  package let rawValue: UInt32
  /// Wraps the kernel's bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Nobody can change the file, nor its names. The corresponding flag is `FS_IMMUTABLE_FL`.
  package static let immutable = FileFlags(rawValue: 0x10)
  /// The file can only grow, and its names stay. The corresponding flag is `FS_APPEND_FL`.
  package static let appendOnly = FileFlags(rawValue: 0x20)
  /// Backups leave the file out. The corresponding flag is `FS_NODUMP_FL`.
  package static let noDump = FileFlags(rawValue: 0x40)
  /// The time of the last access is not kept. The corresponding flag is `FS_NOATIME_FL`.
  package static let noAccessTime = FileFlags(rawValue: 0x80)

  /// All that somebody can have set, and that do not say how the data is stored by now: encryption, extents and the
  /// like are not among them.
  package static let foreign = FileFlags(rawValue: darkroom_foreign_file_flags())
}

extension Descriptor {
  /// The flags of the open file; none where the file system has no such thing.
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

  /// Sets the flags of the open file; two of them need `CAP_LINUX_IMMUTABLE`, to be set or cleared.
  package borrowing func setFlags(_ flags: FileFlags) throws(SystemCallError) {
    let raw = rawValue
    try check("ioctl FS_IOC_SETFLAGS") { darkroom_set_file_flags(raw, flags.rawValue) }
  }
}
