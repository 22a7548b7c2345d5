// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The total and available space of a file system (statvfs(3)).
package struct FileSystemSpace: Sendable, Hashable {
  /// The total size in bytes.
  package var total: Int64
  /// The bytes that an unprivileged user can still use.
  package var free: Int64
  /// The maximum number of files, or 0 if the file system does not count them.
  package var files: Int64
  /// The number of files that an unprivileged user can still create.
  package var freeFiles: Int64

  /// Creates a value from the given sizes.
  package init(total: Int64, free: Int64, files: Int64 = 0, freeFiles: Int64 = 0) {
    self.total = total
    self.free = free
    self.files = files
    self.freeFiles = freeFiles
  }

  /// Returns the space of the file system of `path`.
  package static func of(_ path: String) throws(SystemCallError) -> FileSystemSpace {
    var result = statvfs()
    try check("statvfs", path: path) { statvfs(path, &result) }
    let block = Int64(clamping: result.f_frsize)
    func bytes(_ blocks: UInt) -> Int64 {
      Int64(clamping: blocks).multipliedReportingOverflow(by: block).partialValue
    }
    return FileSystemSpace(
      total: bytes(UInt(result.f_blocks)),
      free: bytes(UInt(result.f_bavail)),
      files: Int64(clamping: result.f_files),
      freeFiles: Int64(clamping: result.f_favail)
    )
  }
}
