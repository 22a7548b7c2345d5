// SPDX-License-Identifier: Apache-2.0

/// A file that a batch shows to one session.
///
/// Inputs are compared by the bytes of their paths. Two names that differ only in their Unicode normalization
/// are two files, but equal strings.
package struct BatchInput: Hashable, Comparable, Sendable {
  /// The bytes of the absolute path.
  package let bytes: [UInt8]

  /// Creates an input from the bytes of an absolute path.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates an input from an absolute path.
  package init(_ path: String) { self.init(bytes: Array(path.utf8)) }

  /// The path. Bytes that are not UTF-8 are replaced by U+FFFD.
  package var path: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether the path is UTF-8. A launch plan cannot contain another path.
  package var isText: Bool { Array(path.utf8) == bytes }

  /// The order of the bytes, as `LC_ALL=C sort` has.
  package static func < (left: BatchInput, right: BatchInput) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
