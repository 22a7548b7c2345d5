// SPDX-License-Identifier: Apache-2.0

/// A call of SQLite that failed: at what, and why.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// SQLite's extended result code.
  package let code: Int32
  /// What was being done.
  package let action: String
  /// SQLite's words.
  package let message: String

  /// What kind of failure it is, as far as it matters for what to do about it.
  package enum Kind: Sendable {
    /// Others kept the database locked for longer than the time-out. The corresponding codes are `SQLITE_BUSY` and
    /// `SQLITE_LOCKED`.
    case busy
    /// The file system is full. The corresponding code is `SQLITE_FULL`.
    case full
    /// The file is no database, or a broken one. The corresponding codes are `SQLITE_CORRUPT` and `SQLITE_NOTADB`.
    case damaged
    /// It cannot be written. The corresponding codes are `SQLITE_READONLY` and `SQLITE_CANTOPEN`.
    case notWritable
    /// A row breaks a rule of the schema. The corresponding code is `SQLITE_CONSTRAINT`.
    case constraint
    /// Anything else.
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

  /// A sentence: `begin: database is locked (SQLite 5)`.
  package var description: String { "\(action): \(message) (SQLite \(code))" }
}
