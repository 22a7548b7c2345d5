// SPDX-License-Identifier: Apache-2.0

/// A path below a content directory, as the bytes that the kernel has.
struct EntryPath: Hashable, Sendable {
  /// The bytes, without a slash at either end; empty for the directory itself.
  let bytes: [UInt8]

  /// The directory itself.
  static let root = EntryPath(bytes: [])

  /// The path of an entry in the directory that has this path.
  func appending(_ name: [UInt8]) -> EntryPath {
    EntryPath(bytes: bytes.isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
  }

  /// The path as text; if it is no UTF-8, or has characters that do not show what they are, all that is not ASCII is
  /// written `\xNN`.
  var text: String { FileName.text(bytes) }
}
