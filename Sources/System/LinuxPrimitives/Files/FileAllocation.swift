// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Reserves space for a file without changing its length (fallocate(2), `FALLOC_FL_KEEP_SIZE`). Does
  /// nothing if the file system does not support this. Errors contain `path`.
  package borrowing func allocate(bytes: Int, path: String? = nil) throws(SystemCallError) {
    let raw = rawValue
    do {
      try check("fallocate", path: path) { fallocate(raw, FALLOC_FL_KEEP_SIZE, 0, bytes) }
    } catch  where error.errno.rawValue == EOPNOTSUPP {
      return
    }
  }
}
