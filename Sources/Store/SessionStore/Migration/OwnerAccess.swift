// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Access for the owner of files that have removed it.
enum OwnerAccess {
  /// Returns the permission bits that the owner needs to read and write a file, or to list and enter a
  /// directory.
  private static func needed(_ kind: FileStatus.Kind) -> UInt32 { kind == .directory ? 0o700 : 0o600 }

  /// Adds missing owner permissions to an entry.
  ///
  /// The entry is opened with `O_PATH`, because any other open needs the missing permissions.
  ///
  /// - Returns: The changes that were made; empty if the permissions were sufficient.
  static func makeAccessible(
    _ name: [UInt8],
    _ status: FileStatus,
    in directory: OpenDirectory
  ) throws(SystemCallError) -> [Sanitization] {
    let needed = needed(status.kind)
    guard status.permissions & needed != needed else { return [] }
    let path = try directory.descriptor.openEntry(name, [.path])
    let found = try path.status()
    guard FileIdentity(found) == FileIdentity(status) else {
      throw SystemCallError("openat2", path: FileName.text(name), errno: .noSuchFile)
    }
    do {
      try path.setPermissionsOfPath(found.permissions & 0o777 | needed)
      return [.madeAccessible]
    } catch  where error.errno == .notPermitted {
      try clearFlags(name, status, in: directory)
      try path.setPermissionsOfPath(found.permissions & 0o777 | needed)
      return [.flagsCleared, .madeAccessible]
    }
  }

  /// Clears inode flags that prevent the change. This requires root, which can open the file without any
  /// permission bits.
  private static func clearFlags(
    _ name: [UInt8],
    _ status: FileStatus,
    in directory: OpenDirectory
  ) throws(SystemCallError) {
    let file = try directory.descriptor.openEntry(name, [.nonBlocking])
    guard FileIdentity(try file.status()) == FileIdentity(status) else {
      throw SystemCallError("openat2", path: FileName.text(name), errno: .noSuchFile)
    }
    try file.setFlags(try file.flags().subtracting(.foreign))
  }

  /// Opens a directory, and adds missing owner permissions first.
  static func openDirectory(_ path: String) throws(SystemCallError) -> Descriptor {
    do {
      return try FileSystem.open(path, [.directory, .noFollow])
    } catch  where error.errno == .permissionDenied {
      try FileSystem.open(path, [.directory, .noFollow, .path]).setPermissionsOfPath(0o700)
      return try FileSystem.open(path, [.directory, .noFollow])
    }
  }
}
