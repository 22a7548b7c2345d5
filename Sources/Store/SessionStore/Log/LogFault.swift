// SPDX-License-Identifier: Apache-2.0

package import Digests

/// A defect of an entry of the session log.
package enum LogFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line is not a valid entry.
  case unreadable(DocumentFault)
  /// The text of the entry does not have the stated digest.
  case changed(says: SHA256Digest, is: SHA256Digest)
  /// The sequence number does not match the position.
  case outOfOrder(says: Int64, expected: Int64)
  /// The entry does not contain the digest of the previous entry.
  case notChained(says: SHA256Digest, expected: SHA256Digest)

  /// The defect as text without a final period.
  package var description: String {
    switch self {
    case .unreadable(let fault): "it is not a valid entry: \(fault)"
    case .changed(let says, let computed):
      "it was changed: its text has the digest \(computed), not its recorded digest \(says)"
    case .outOfOrder(let says, let expected):
      "it is numbered \(says) instead of \(expected): entries were removed, added or moved"
    case .notChained(let says, let expected):
      "it follows an entry with the digest \(says), but the previous entry has \(expected): that entry was replaced"
    }
  }
}
