// SPDX-License-Identifier: Apache-2.0

/// The schema of the index and its migrations.
enum IndexSchema {
  /// The migrations. The script at index N migrates version N to N + 1. Released scripts never change.
  ///
  /// `state` is an ``AssetState``. `work` has a row while work is pending for an asset, which its owner does,
  /// or recovery after the owner has died. Device numbers are not stored, because they can change at a
  /// restart.
  static let migrations: [StaticString] = [
    """
    CREATE TABLE asset (
      serial INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
      title TEXT NOT NULL,
      media_type TEXT NOT NULL,
      path TEXT NOT NULL UNIQUE,
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      inode INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      app TEXT NOT NULL,
      session TEXT,
      source_path TEXT
    ) STRICT;
    CREATE INDEX asset_by_time ON asset (created_at DESC, id DESC);
    CREATE INDEX asset_by_session ON asset (session) WHERE session IS NOT NULL;
    CREATE TABLE work (
      asset INTEGER PRIMARY KEY REFERENCES asset (serial) ON DELETE CASCADE,
      owner TEXT NOT NULL,
      source_directory TEXT,
      source_inode INTEGER
    ) STRICT;
    CREATE TABLE selection (
      app TEXT NOT NULL,
      asset INTEGER NOT NULL REFERENCES asset (serial) ON DELETE CASCADE,
      PRIMARY KEY (app, asset)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX selection_by_asset ON selection (asset);
    """
  ]

  /// The schema version of this code.
  static var version: Int { migrations.count }

  /// Configures a connection and migrates the index. The caller must exclude other processes.
  static func prepare(_ database: Database, _ path: String) throws(PhotoLibraryError) {
    try library { () throws(DatabaseError) in
      try database.run("PRAGMA foreign_keys = ON")
      // Functions in a schema that another program wrote are not run.
      try database.run("PRAGMA trusted_schema = OFF")
      // A commit must be durable when it returns, because the session's file is removed afterwards.
      try database.run("PRAGMA synchronous = FULL")
    }
    let mode = try library { () throws(DatabaseError) in
      try database.rows("PRAGMA journal_mode = WAL") { $0.text(0) }
    }
    guard mode == ["wal"] else { throw .notWriteAhead(path: path, mode: mode.first ?? "") }
    try migrate(database, path)
  }

  private static func migrate(_ database: Database, _ path: String) throws(PhotoLibraryError) {
    let found = try library { () throws(DatabaseError) in
      try database.rows("PRAGMA user_version") { Int($0.integer(0)) }
    }
    let present = found.first ?? 0
    guard (0...version).contains(present) else {
      throw .newerIndex(path: path, version: present, known: version)
    }
    guard present < version else { return }
    try database.transaction { () throws(PhotoLibraryError) in
      for script in migrations[present...] {
        try library { () throws(DatabaseError) in try database.execute(script) }
      }
      try library { () throws(DatabaseError) in try setVersion(database) }
    }
  }

  /// Sets the schema version. `PRAGMA` takes no bound values, so each version has its own literal.
  private static func setVersion(_ database: Database) throws(DatabaseError) {
    try database.execute("PRAGMA user_version = 1")
  }
}
