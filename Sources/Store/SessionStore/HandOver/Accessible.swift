// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Files that their owner has locked out of.
enum Accessible {
  /// The bits without which an owner can't read and write a file, or list and enter a directory.
  private static func needed(_ kind: FileStatus.Kind) -> UInt32 { kind == .directory ? 0o700 : 0o600 }

  /// Gives the owner the bits that are missing, and says what that took; nothing if none were.
  ///
  /// Opened only as a path, because anything more needs the very bits that are missing.
  static func makeAccessible(
    _ name: [UInt8],
    _ status: FileStatus,
    in directory: OpenDirectory
  ) throws(SystemCallError) -> [Normalisation] {
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

  /// Clears the flags of what can't be changed because of them. Only root may, who needs no bits to open it.
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

  /// Opens a directory, giving its owner access first where that is missing.
  static func openDirectory(_ path: String) throws(SystemCallError) -> Descriptor {
    do {
      return try FileSystem.open(path, [.directory, .noFollow])
    } catch  where error.errno == .permissionDenied {
      try FileSystem.open(path, [.directory, .noFollow, .path]).setPermissionsOfPath(0o700)
      return try FileSystem.open(path, [.directory, .noFollow])
    }
  }
}
