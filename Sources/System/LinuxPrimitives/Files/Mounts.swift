// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension FileSystem {
  /// Removes the topmost mount at a path, not following a final symbolic link (umount2(2)).
  package static func unmount(_ path: String) throws(SystemCallError) {
    try check("umount2", path: path) { darkroom_unmount(path) }
  }
}
