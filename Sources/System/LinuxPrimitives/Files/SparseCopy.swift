// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Copies the whole file into an empty file, preserving holes (lseek(2), `SEEK_DATA` and `SEEK_HOLE`).
  /// Without this, a small sparse file could become terabytes of zeros.
  package borrowing func copySparsely(to other: borrowing Descriptor) throws(SystemCallError) {
    let length = try status().size
    var position: Int64 = 0
    while position < length, let begin = try seek(position, SEEK_DATA), begin < length {
      let end = min(try seek(begin, SEEK_HOLE) ?? length, length)
      _ = try seek(begin, SEEK_SET)
      _ = try other.seek(begin, SEEK_SET)
      let copied = try copy(atMost: end - begin, to: other)
      // The file was truncated in the meantime; the length that is set below shows this.
      guard copied > 0 else { break }
      position = begin + copied
    }
    try other.truncate(to: length)
  }

  /// Moves the offset from a hole to the following data, or to the end of the file. Returns the number of
  /// bytes skipped.
  ///
  /// Returns 0 without moving the offset if there is data, or if the file is not seekable.
  package borrowing func skipHole() -> Int64 {
    let raw = rawValue
    let position = Int64(lseek(raw, 0, SEEK_CUR))
    // If no data follows, the hole extends to the end of the file.
    guard position >= 0, let next = try? seek(position, SEEK_DATA) ?? Int64(lseek(raw, 0, SEEK_END)) else {
      return 0
    }
    guard next < position else { return next - position }
    // Another process has truncated the file.
    _ = lseek(raw, off_t(position), SEEK_SET)
    return 0
  }

  /// Moves the offset. Returns the new offset, or `nil` if there is no data after it.
  private borrowing func seek(_ offset: Int64, _ whence: Int32) throws(SystemCallError) -> Int64? {
    let raw = rawValue
    do {
      return Int64(try check("lseek") { lseek(raw, off_t(offset), whence) })
    } catch  where error.errno.rawValue == ENXIO {
      return nil
    }
  }
}
