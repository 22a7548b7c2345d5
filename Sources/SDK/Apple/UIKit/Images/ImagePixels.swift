// SPDX-License-Identifier: Apache-2.0

/// The reason why the bytes of an image cannot be decoded or encoded.
package struct ImagePixelsError: Error, Hashable {
  /// The error message of the library, or a limit.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
