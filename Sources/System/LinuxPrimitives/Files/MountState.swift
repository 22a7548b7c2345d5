// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The mounts of this process, by which a change can be detected. Two states are equal only if every mount is
/// the same mount, at the same path and with the same options.
///
/// The kernel reuses the IDs in its mount table after an unmount (proc_pid_mountinfo(5)), and the device
/// numbers as well. Equal tables therefore do not prove equal mounts. The IDs of listmount(2) are never
/// reused.
package struct MountState: Sendable, Equatable {
  private let table: [UInt8]
  private let mountIDs: [UInt64]
  /// The number of IDs that are read at a time.
  private static let batchSize = 512

  /// Reads the current mounts, or returns `nil` if listmount(2) is unavailable. `table` is an open
  /// `/proc/self/mountinfo`.
  package static func read(_ table: borrowing Descriptor) throws(SystemCallError) -> MountState? {
    try table.rewind()
    return try table.readAll(limit: 1 << 22).flatMap { MountState(table: $0) }
  }

  /// Creates a state from the text of `/proc/self/mountinfo`, which was read just before. Returns `nil` if
  /// listmount(2) is unavailable: it requires Linux 6.8, and a sandbox around this process may refuse it.
  package init?(table: [UInt8]) {
    guard let mountIDs = Self.mountIDs() else { return nil }
    self.table = table
    self.mountIDs = mountIDs
  }

  /// Whether listmount(2) is available.
  package static var isAvailable: Bool { mountIDs() != nil }

  private static func mountIDs() -> [UInt64]? {
    var mountIDs: [UInt64] = []
    var part = [UInt64](repeating: 0, count: batchSize)
    while true {
      let count = darkroom_list_mounts(mountIDs.last ?? 0, &part, batchSize)
      guard count >= 0 else { return nil }
      mountIDs += part[..<count]
      if count < batchSize { return mountIDs }
    }
  }
}

extension FileSystem {
  /// Removes the topmost mount at a path, not following a final symbolic link (umount2(2)).
  package static func unmount(_ path: String) throws(SystemCallError) {
    try check("umount2", path: path) { darkroom_unmount(path) }
  }
}
