// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension FileSystem {
  /// Throws unless this process may write to `path` as it runs now (faccessat(2), `W_OK` and `AT_EACCESS`).
  ///
  /// `EROFS` says that the file system is read-only, which root's privileges do not change.
  package static func checkWritable(_ path: String) throws(SystemCallError) {
    try check("faccessat", path: path) { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) }
  }
}
