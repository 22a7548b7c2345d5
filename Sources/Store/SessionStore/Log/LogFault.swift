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
    case .unreadable(let fault): "it cannot be read: \(fault)"
    case .changed(let says, let computed):
      "it was changed: it says that its digest is \(says), but its text has \(computed)"
    case .outOfOrder(let says, let expected):
      "it says that it is entry \(says), where entry \(expected) should be: entries were removed, added or moved"
    case .notChained(let says, let expected):
      "it follows an entry with the digest \(says), but the one before it has \(expected): that one was exchanged"
    }
  }
}
