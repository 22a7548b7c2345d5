// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Directories on two file systems, in which tests create their files.
///
/// Tests create and remove hundreds of thousands of files. On ext4 without a journal that takes most of their time, because the
/// kernel does not use the number of a removed file again for some seconds, and searches for another one.
package enum FileSystems {
  /// A directory of a file system in memory, or `/tmp` if there is none with 4 GiB left.
  package static let fast: String = isUsable("/dev/shm") ? "/dev/shm" : "/tmp"
  /// A directory of another file system than ``fast``.
  package static let other: String = fast == "/tmp" ? "/dev/shm" : "/tmp"

  private static func isUsable(_ path: String) -> Bool {
    guard let free = try? FileSystem.freeSpace(path) else { return false }
    return free >= 4 << 30
  }
}
