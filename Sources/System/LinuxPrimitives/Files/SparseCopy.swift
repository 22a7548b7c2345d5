// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Copies the whole file into an empty one, and leaves the holes holes (lseek(2), `SEEK_DATA` and `SEEK_HOLE`): what
  /// is nearly nothing must not become terabytes of zeros.
  package borrowing func copySparsely(to other: borrowing Descriptor) throws(SystemCallError) {
    let length = try status().size
    var position: Int64 = 0
    while position < length, let begin = try seek(position, SEEK_DATA), begin < length {
      let end = min(try seek(begin, SEEK_HOLE) ?? length, length)
      _ = try seek(begin, SEEK_SET)
      _ = try other.seek(begin, SEEK_SET)
      let copied = try copy(atMost: end - begin, to: other)
      // A file that became shorter meanwhile: its length below shows it.
      guard copied > 0 else { break }
      position = begin + copied
    }
    try other.truncate(to: length)
  }

  /// Moves the position from within a hole to the data after it, or to the end of the file, and returns the number of bytes
  /// between. Returns 0 and moves nothing where there is data, or where the file has no positions.
  package borrowing func skipHole() -> Int64 {
    let raw = rawValue
    let position = Int64(lseek(raw, 0, SEEK_CUR))
    // If no data follow, the hole extends to the end of the file.
    guard position >= 0, let next = try? seek(position, SEEK_DATA) ?? Int64(lseek(raw, 0, SEEK_END)) else {
      return 0
    }
    guard next < position else { return next - position }
    // Another process has truncated the file.
    _ = lseek(raw, off_t(position), SEEK_SET)
    return 0
  }

  /// Moves the position; nil if there is no data from there on.
  private borrowing func seek(_ offset: Int64, _ whence: Int32) throws(SystemCallError) -> Int64? {
    let raw = rawValue
    do {
      return Int64(try check("lseek") { lseek(raw, off_t(offset), whence) })
    } catch  where error.errno.rawValue == ENXIO {
      return nil
    }
  }
}
