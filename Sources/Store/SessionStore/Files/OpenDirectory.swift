// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A directory that stays open as long as somebody refers to it.
///
/// A class, because a walk keeps several of them in an array, which cannot hold values that own descriptors.
final class OpenDirectory: Sendable {
  /// The open directory.
  let descriptor: Descriptor
  /// Which file it is, whatever its name.
  let identity: FileIdentity

  /// Takes an open directory over.
  init(_ descriptor: consuming Descriptor) throws(SystemCallError) {
    identity = FileIdentity(try descriptor.status())
    self.descriptor = descriptor
  }
}

/// Which file a file is: the numbers of its file system and its inode.
struct FileIdentity: Hashable, Sendable {
  /// The number of the file system's device.
  let device: UInt64
  /// The number of the inode.
  let inode: UInt64

  /// The identity that a status shows.
  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
  }
}
