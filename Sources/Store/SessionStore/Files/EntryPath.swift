// SPDX-License-Identifier: Apache-2.0

/// A path relative to a content directory, as raw bytes.
struct EntryPath: Hashable, Sendable {
  /// The bytes without leading or trailing slash; empty for the content directory itself.
  let bytes: [UInt8]

  /// The path of the content directory itself.
  static let root = EntryPath(bytes: [])

  /// Returns the path of an entry in this directory.
  func appending(_ name: [UInt8]) -> EntryPath {
    EntryPath(bytes: bytes.isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
  }

  /// The path as text. If a record or terminal cannot display it, bytes that are not printable ASCII are
  /// written as `\xNN`.
  var text: String { FileName.text(bytes) }
}
