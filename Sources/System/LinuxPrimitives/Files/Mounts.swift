// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension FileSystem {
  /// Removes what is mounted at a place, not following a last symbolic link (umount2(2)).
  package static func unmount(_ path: String) throws(SystemCallError) {
    try check("umount2", path: path) { darkroom_unmount(path) }
  }
}
