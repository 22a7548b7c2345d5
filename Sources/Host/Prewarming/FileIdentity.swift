// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// By what is noticed that a file is another one, or has been changed.
struct FileIdentity: Hashable, Sendable {
  /// Its file system.
  let device: UInt64
  /// Its inode.
  let inode: UInt64
  /// Its length.
  let size: Int64
  /// When its data was changed last.
  let modified: Int64
  /// When anything about it was changed last, which nobody can set.
  let changed: Int64

  /// Looks at what a path names in the end; nil: nothing that can be looked at.
  init?(_ path: String) {
    guard let status = try? FileSystem.open(path, .path).status() else { return nil }
    device = status.device
    inode = status.inode
    size = status.size
    modified = status.modified
    changed = status.changed
  }
}
