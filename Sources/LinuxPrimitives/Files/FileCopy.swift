// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Copies everything from this file's position to its end into another file.
  ///
  /// Inside one file system the kernel copies, and shares blocks where it can (copy_file_range(2)); where it
  /// cannot, the bytes pass through this process.
  package borrowing func copyAll(to other: borrowing Descriptor) throws(SystemCallError) {
    let (raw, otherRaw) = (rawValue, other.rawValue)
    do {
      while try check("copy_file_range", { copy_file_range(raw, nil, otherRaw, nil, 1 << 30, 0) }) > 0 {}
      return
    } catch  where [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(error.errno.rawValue) {
      // Some pairs of file systems can't: go on below, from where it stopped.
    }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 64)
    defer { chunk.deallocate() }
    while case .bytes(let count) = try read(into: chunk) {
      try other.writeAll(Array(chunk[..<count]))
    }
  }
}

extension FileSystem {
  /// Copies a file under a new name that nobody may have yet, with these permissions.
  package static func copyFile(_ source: String, to target: String, mode: UInt32) throws(SystemCallError) {
    let original = try open(source, .read)
    // The permissions are set on the open file: the process's mask takes from those that open(2) is given.
    let copy = try open(target, [.write, .create, .exclusive], mode: 0o600)
    try original.copyAll(to: copy)
    let raw = copy.rawValue
    try check("fchmod", path: target) { fchmod(raw, mode) }
  }
}
