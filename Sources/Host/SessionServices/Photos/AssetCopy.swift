// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A copy of an asset that nobody is shown yet. Dropping it removes it.
struct AssetCopy: ~Copyable {
  /// How many bytes it has.
  let bytes: Int64
  /// Where it is; nil: it has another name by now, and stays.
  private var path: String?

  private init(path: String, bytes: Int64) {
    self.path = path
    self.bytes = bytes
  }

  deinit { if let path { try? FileSystem.unlink(path) } }

  /// Copies a file to a path; what was there was left by a copy that failed.
  static func make(
    of file: borrowing Descriptor,
    bytes: Int64,
    at path: String
  ) throws(SystemCallError) -> AssetCopy {
    try? FileSystem.unlink(path)
    let target = try FileSystem.open(path, [.write, .create, .exclusive, .noFollow])
    // From here on a failure removes it.
    let copy = AssetCopy(path: path, bytes: bytes)
    _ = try file.copy(atMost: bytes, to: target)
    // Readable by the extension's user, whoever that is; the directories above keep everybody else away.
    try target.setPermissions(0o644)
    return copy
  }

  /// Gives it a name under which it is shown.
  consuming func move(to name: String) throws(SystemCallError) {
    guard let old = path else { return }
    try FileSystem.rename(old, to: name, .noReplace)
    path = nil
  }
}
