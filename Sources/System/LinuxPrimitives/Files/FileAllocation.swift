// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Takes space on the file system for a file without making it longer (fallocate(2), `FALLOC_FL_KEEP_SIZE`); where
  /// the file system knows no such thing, nothing is taken. `path` names the file in an error.
  package borrowing func allocate(bytes: Int, path: String? = nil) throws(SystemCallError) {
    let raw = rawValue
    do {
      try check("fallocate", path: path) { fallocate(raw, FALLOC_FL_KEEP_SIZE, 0, bytes) }
    } catch  where error.errno.rawValue == EOPNOTSUPP {
      return
    }
  }
}
