// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// How much a file system holds and has left (statvfs(3)).
package struct FileSystemSpace: Sendable, Hashable {
  /// All its bytes.
  package var total: Int64
  /// The bytes that an ordinary user can still take.
  package var free: Int64
  /// How many files it can hold; 0: it does not count them.
  package var files: Int64
  /// How many files an ordinary user can still make.
  package var freeFiles: Int64

  /// Describes a file system.
  package init(total: Int64, free: Int64, files: Int64 = 0, freeFiles: Int64 = 0) {
    self.total = total
    self.free = free
    self.files = files
    self.freeFiles = freeFiles
  }

  /// The space on the file system of `path`.
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
