// SPDX-License-Identifier: Apache-2.0

/// The tables of the index, and how an older index becomes one of this version.
enum IndexSchema {
  /// The scripts; the one at place N makes version N + 1 of version N. What has been released is never changed.
  ///
  /// `state` is one of ``AssetState``. `work` has a row as long as something remains to be done about an asset: by its
  /// owner, or by recovery if the owner is gone. A device's number is not kept: it is another after the next start of
  /// the machine.
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

  /// The version that this code writes and reads.
  static var version: Int { migrations.count }

  /// Sets a connection up and brings the index to this version. Nobody else may be doing so at the same time.
  static func prepare(_ database: Database, _ path: String) throws(PhotoLibraryError) {
    try library { () throws(DatabaseError) in
      try database.run("PRAGMA foreign_keys = ON")
      // Functions in a schema that somebody else has written are not run.
      try database.run("PRAGMA trusted_schema = OFF")
      // A commit is durable when it returns: the file of the session is removed on its word.
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

  /// `PRAGMA` takes no bound values, so each version has its own literal.
  private static func setVersion(_ database: Database) throws(DatabaseError) {
    try database.execute("PRAGMA user_version = 1")
  }
}
