// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A copy of an asset that is not shown yet. Its file is removed when the value is released.
struct AssetCopy: ~Copyable {
  /// The size in bytes.
  let bytes: Int64
  /// The path of the copy, or `nil` once it was renamed and is kept.
  private var path: String?

  private init(path: String, bytes: Int64) {
    self.path = path
    self.bytes = bytes
  }

  deinit { if let path { try? FileSystem.unlink(path) } }

  /// Copies a file to a path. An existing file is the remainder of a failed copy and is removed.
  static func make(
    of file: borrowing Descriptor,
    bytes: Int64,
    at path: String
  ) throws(SystemCallError) -> AssetCopy {
    try? FileSystem.unlink(path)
    let target = try FileSystem.open(path, [.write, .create, .exclusive, .noFollow])
    // From here on, the file is removed if an error is thrown.
    let copy = AssetCopy(path: path, bytes: bytes)
    _ = try file.copy(atMost: bytes, to: target)
    // Readable by the UID of the extension, which is not known here. The directories above deny access to
    // other users.
    try target.setPermissions(0o644)
    return copy
  }

  /// Renames the copy to the name under which it is shown.
  consuming func move(to name: String) throws(SystemCallError) {
    guard let old = path else { return }
    try FileSystem.rename(old, to: name, .noReplace)
    path = nil
  }
}
