// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import LinuxPrimitives

/// A connection to an SQLite database. Only this type calls SQLite.
///
/// Only one thread at a time may use a connection. Statements are compiled once. External values are always
/// bound: the text of a statement is a literal of this module.
final class Database {
  /// A value of a column or parameter.
  enum Value: Equatable {
    /// The corresponding type is `INTEGER`.
    case integer(Int64)
    /// The corresponding type is `TEXT`.
    case text(String)
    /// The corresponding type is `NULL`.
    case null

    /// Returns a text, or null for `nil`.
    static func optional(_ text: String?) -> Value { text.map(Value.text) ?? .null }
  }

  /// The time that a statement waits for other writers, in milliseconds.
  static let busyTimeout: Int32 = 10_000

  /// SQLite, loaded with the first database, or `nil` if it is unavailable.
  private static let loaded: darkroom_sqlite? = LibraryFunctions.load { darkroom_sqlite_load($0) }

  /// The functions of SQLite.
  private let sqlite: darkroom_sqlite
  private let connection: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  private var isInTransaction = false

  /// Opens a database, creating it if necessary. Symbolic links are refused.
  init(_ path: String) throws(DatabaseError) {
    guard let sqlite = Self.loaded else {
      let message = "libsqlite3.so.0 cannot be loaded; install libsqlite3-0"
      throw DatabaseError(code: SQLITE_ERROR, action: "open \(path)", message: message)
    }
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_FULLMUTEX
    let result = sqlite.open_v2(path, &opened, flags, nil)
    guard result == SQLITE_OK, let opened else {
      let message = opened.flatMap { sqlite.errmsg($0) }.map { String(cString: $0) } ?? "out of memory"
      _ = sqlite.close_v2(opened)
      throw DatabaseError(code: result, action: "open \(path)", message: message)
    }
    self.sqlite = sqlite
    connection = opened
    _ = sqlite.extended_result_codes(opened, 1)
    _ = sqlite.busy_timeout(opened, Self.busyTimeout)
  }

  deinit {
    for statement in statements.values { _ = sqlite.finalize(statement) }
    _ = sqlite.close_v2(connection)
  }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite.changes64(connection)) }

  /// Runs a script of several statements without values, such as a migration.
  func execute(_ script: StaticString) throws(DatabaseError) {
    let text = "\(script)"
    let result = sqlite.exec(connection, text, nil, nil, nil)
    guard result == SQLITE_OK else { throw failure(result, text) }
  }

  /// Runs one statement that returns no rows.
  func run(_ statement: StaticString, _ values: [Value] = []) throws(DatabaseError) {
    _ = try rows(statement, values) { _ in }
  }

  /// Runs one statement and returns its rows.
  func rows<Result>(
    _ statement: StaticString,
    _ values: [Value] = [],
    _ read: (Row) -> Result
  ) throws(DatabaseError) -> [Result] {
    let text = "\(statement)"
    let prepared = try prepare(text)
    defer {
      _ = sqlite.reset(prepared)
      _ = sqlite.clear_bindings(prepared)
    }
    for (index, value) in values.enumerated() { try bind(value, Int32(index + 1), prepared, text) }
    var results: [Result] = []
    while true {
      switch sqlite.step(prepared) {
      case SQLITE_ROW: results.append(read(Row(statement: prepared, sqlite: sqlite)))
      case SQLITE_DONE: return results
      case let code: throw failure(code, text)
      }
    }
  }

  /// Runs `body` as one transaction, which is durable when the call returns. If `body` throws, all changes
  /// are undone.
  ///
  /// The transaction takes the write lock at once, so that no statement fails because of a missing lock.
  func transaction<Result>(
    _ body: () throws(PhotoLibraryError) -> Result
  ) throws(PhotoLibraryError) -> Result {
    if isInTransaction { return try body() }
    try library { () throws(DatabaseError) in try run("BEGIN IMMEDIATE") }
    isInTransaction = true
    defer { isInTransaction = false }
    do {
      let result = try body()
      try library { () throws(DatabaseError) in try run("COMMIT") }
      return result
    } catch {
      // SQLite may have rolled back the transaction already.
      if sqlite.get_autocommit(connection) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  private func prepare(_ text: String) throws(DatabaseError) -> OpaquePointer {
    if let known = statements[text] { return known }
    var made: OpaquePointer?
    let result = sqlite.prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard result == SQLITE_OK, let made else { throw failure(result, text) }
    statements[text] = made
    return made
  }

  private func bind(
    _ value: Value,
    _ index: Int32,
    _ statement: OpaquePointer,
    _ text: String
  ) throws(DatabaseError) {
    // The macro `SQLITE_TRANSIENT`, which is a cast, makes SQLite copy the text.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let result =
      switch value {
      case .integer(let number): sqlite.bind_int64(statement, index, number)
      case .text(let words):
        sqlite.bind_text(statement, index, words, Int32(words.utf8.count), transient)
      case .null: sqlite.bind_null(statement, index)
      }
    guard result == SQLITE_OK else { throw failure(result, text) }
  }

  private func failure(_ code: Int32, _ text: String) -> DatabaseError {
    let action = text.prefix { $0 != "\n" }
    return DatabaseError(
      code: code,
      action: String(action),
      message: sqlite.errmsg(connection).map { String(cString: $0) } ?? "out of memory"
    )
  }

  /// A row of a result, valid only while it is read.
  struct Row {
    /// The statement that is at this row.
    fileprivate let statement: OpaquePointer
    /// The functions of SQLite.
    fileprivate let sqlite: darkroom_sqlite

    /// Returns an integer, or 0 for null.
    func integer(_ column: Int32) -> Int64 { sqlite.column_int64(statement, column) }

    /// Returns a text, or an empty text for null.
    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    /// Returns a text, or `nil` for null.
    func optionalText(_ column: Int32) -> String? {
      guard let bytes = sqlite.column_text(statement, column) else { return nil }
      let count = Int(sqlite.column_bytes(statement, column))
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
  }
}

/// Runs `body` and converts its error into an error of the library.
func library<Result>(_ body: () throws(DatabaseError) -> Result) throws(PhotoLibraryError) -> Result {
  do { return try body() } catch { throw .database(error) }
}
