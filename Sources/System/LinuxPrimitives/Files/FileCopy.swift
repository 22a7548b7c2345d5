// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Copies the rest of this file, from its current offset, into another file, as ``copy(atMost:to:)`` does.
  package borrowing func copyAll(to other: borrowing Descriptor) throws(SystemCallError) {
    _ = try copy(atMost: .max, to: other)
  }
}

extension FileSystem {
  /// Copies a file to a new path that must not exist, with the given permissions.
  package static func copyFile(_ source: String, to target: String, mode: UInt32) throws(SystemCallError) {
    let original = try open(source, .read)
    // fchmod(2) sets the permissions, because the file mode mask restricts the mode of open(2).
    let copy = try open(target, [.write, .create, .exclusive], mode: 0o600)
    try original.copyAll(to: copy)
    let raw = copy.rawValue
    try check("fchmod", path: target) { fchmod(raw, mode) }
  }
}

extension Descriptor {
  /// Copies at most `limit` bytes from the current offset into another file, and returns the number of bytes.
  ///
  /// Within a file system the kernel copies, sharing blocks if possible (copy_file_range(2)). Otherwise this
  /// process copies the bytes.
  package borrowing func copy(
    atMost limit: Int64,
    to other: borrowing Descriptor
  ) throws(SystemCallError) -> Int64 {
    let (raw, otherRaw) = (rawValue, other.rawValue)
    var copied: Int64 = 0
    do {
      while copied < limit {
        let wanted = Int(min(limit - copied, 1 << 30))
        let count = try check("copy_file_range", { copy_file_range(raw, nil, otherRaw, nil, wanted, 0) })
        if count == 0 { return copied }
        copied += Int64(count)
      }
      return copied
    } catch  where [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM, EACCES].contains(error.errno.rawValue) {
      // Some pairs of file systems do not support the call, and some system call filters refuse it. The code
      // below continues at the current offset.
    }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 64)
    defer { chunk.deallocate() }
    while copied < limit {
      let part = UnsafeMutableRawBufferPointer(
        rebasing: chunk[..<Int(min(Int64(chunk.count), limit - copied))]
      )
      guard case .bytes(let count) = try read(into: part) else { break }
      try other.writeAll(Array(part[..<count]))
      copied += Int64(count)
    }
    return copied
  }

  /// Sets the length of a file (ftruncate(2)).
  package borrowing func truncate(to length: Int64) throws(SystemCallError) {
    let raw = rawValue
    try check("ftruncate") { ftruncate(raw, off_t(length)) }
  }
}
