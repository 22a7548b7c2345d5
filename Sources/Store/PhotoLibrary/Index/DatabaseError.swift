// SPDX-License-Identifier: Apache-2.0

/// A failed SQLite call.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// SQLite's extended result code.
  package let code: Int32
  /// The action that failed.
  package let action: String
  /// The message of SQLite.
  package let message: String

  /// The kind of failure, as far as it determines the fix.
  package enum Kind: Sendable {
    /// Other connections kept the database locked for longer than the timeout. The corresponding codes are
    /// `SQLITE_BUSY` and `SQLITE_LOCKED`.
    case busy
    /// The file system is full. The corresponding code is `SQLITE_FULL`.
    case full
    /// The file is not a database, or is damaged. The corresponding codes are `SQLITE_CORRUPT` and
    /// `SQLITE_NOTADB`.
    case damaged
    /// The database cannot be written. The corresponding codes are `SQLITE_READONLY` and `SQLITE_CANTOPEN`.
    case notWritable
    /// A row violates a constraint of the schema. The corresponding code is `SQLITE_CONSTRAINT`.
    case constraint
    /// Another failure.
    case other
  }

  /// The kind of the failure.
  package var kind: Kind {
    // The low byte is the primary code, see <https://sqlite.org/rescode.html>.
    switch code & 0xFF {
    case 5, 6: .busy
    case 13: .full
    case 11, 26: .damaged
    case 8, 14: .notWritable
    case 19: .constraint
    default: .other
    }
  }

  /// The error: `begin: database is locked (SQLite 5)`.
  package var description: String { "\(action): \(message) (SQLite \(code))" }
}
