// SPDX-License-Identifier: Apache-2.0

package import Digests

/// What is wrong with an entry of the session log.
package enum LogFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is no entry.
  case unreadable(DocumentFault)
  /// Its text is not the one whose digest it says.
  case changed(says: SHA256Digest, is: SHA256Digest)
  /// It does not stand where its number says.
  case outOfOrder(says: Int64, expected: Int64)
  /// It does not follow the entry before it.
  case notChained(says: SHA256Digest, expected: SHA256Digest)

  /// What is wrong, without a full stop.
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
