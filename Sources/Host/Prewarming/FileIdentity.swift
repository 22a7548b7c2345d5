// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The attributes by which a replaced or changed file is detected.
struct FileIdentity: Hashable, Sendable {
  /// The ID of the file system.
  let device: UInt64
  /// The inode number.
  let inode: UInt64
  /// The size in bytes.
  let size: Int64
  /// The time of the last data modification (`st_mtim`).
  let modified: Int64
  /// The time of the last status change (`st_ctim`), which no process can set.
  let changed: Int64

  /// Creates the identity of the file at a path, following symbolic links, or returns `nil` if it cannot be
  /// read.
  init?(_ path: String) {
    guard let status = try? FileSystem.open(path, .path).status() else { return nil }
    device = status.device
    inode = status.inode
    size = status.size
    modified = status.modified
    changed = status.changed
  }
}
