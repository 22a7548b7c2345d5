// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// An open directory with shared ownership.
///
/// This is a class because a tree walk keeps several directories in an array, and arrays cannot hold
/// noncopyable descriptors.
final class OpenDirectory: Sendable {
  /// The descriptor of the directory.
  let descriptor: Descriptor
  /// The identity of the directory, independent of its name.
  let identity: FileIdentity

  /// Takes ownership of the descriptor of a directory.
  init(_ descriptor: consuming Descriptor) throws(SystemCallError) {
    identity = FileIdentity(try descriptor.status())
    self.descriptor = descriptor
  }
}

/// The identity of a file: its device and inode numbers.
struct FileIdentity: Hashable, Sendable {
  /// The device number of the file system.
  let device: UInt64
  /// The inode number.
  let inode: UInt64

  /// Creates the identity from a file status.
  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
  }
}
