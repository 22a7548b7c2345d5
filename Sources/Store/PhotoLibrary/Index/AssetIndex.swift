// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The index of the library: the assets and the pending work for them.
final class AssetIndex {
  private let database: Database

  /// Opens the index, creating it if necessary. The caller must exclude other processes.
  init(_ path: String) throws(PhotoLibraryError) {
    database = try library { () throws(DatabaseError) in try Database(path) }
    try IndexSchema.prepare(database, path)
  }

  /// Runs `body` as one transaction.
  func transaction<Result>(
    _ body: () throws(PhotoLibraryError) -> Result
  ) throws(PhotoLibraryError) -> Result {
    try database.transaction(body)
  }

  private func run(_ statement: StaticString, _ values: [Database.Value]) throws(PhotoLibraryError) {
    try library { () throws(DatabaseError) in try database.run(statement, values) }
  }

  private func rows<Result>(
    _ statement: StaticString,
    _ values: [Database.Value],
    _ read: (Database.Row) -> Result
  ) throws(PhotoLibraryError) -> [Result] {
    try library { () throws(DatabaseError) in try database.rows(statement, values, read) }
  }

  // MARK: - Reading

  private static func asset(_ row: Database.Row) -> Asset {
    Asset(
      id: row.text(0),
      title: row.text(1),
      mediaType: PhotoMediaType(rawValue: row.text(2)) ?? .other,
      path: row.text(3),
      bytes: row.integer(4),
      createdAt: row.integer(5),
      app: row.text(6),
      session: row.optionalText(7),
      sourcePath: row.optionalText(8)
    )
  }

  /// Returns the values by which ``page(_:for:atMost:)`` and ``asset(_:for:)`` exclude assets that a reader
  /// may not see.
  private static func filter(_ reader: PhotoReader) -> [Database.Value] {
    let level: Int64 =
      switch reader.reading {
      case .nothing: 0
      case .ownSession: 1
      case .ownSessionAndSelection: 2
      case .everything: 3
      }
    return [.integer(level), .optional(reader.session), .text(reader.app)]
  }

  /// Returns the assets that a reader may see, newest first, beginning after a position.
  func page(
    after position: AssetPosition?,
    for reader: PhotoReader,
    atMost limit: Int
  ) throws(PhotoLibraryError) -> [Asset] {
    try rows(
      """
      SELECT id, title, media_type, path, bytes, created_at, app, session, source_path FROM asset
      WHERE state = 2
      AND (?1 = 3 OR (?1 >= 1 AND session = ?2) OR (?1 = 2 AND EXISTS
      (SELECT 1 FROM selection WHERE selection.app = ?3 AND selection.asset = asset.serial)))
      AND (?4 IS NULL OR (created_at, id) < (?4, ?5))
      ORDER BY created_at DESC, id DESC LIMIT ?6
      """,
      Self.filter(reader) + [
        position.map { .integer($0.createdAt) } ?? .null, .optional(position?.id), .integer(Int64(limit)),
      ],
      Self.asset
    )
  }

  /// Returns an asset, or `nil` if no asset with this ID is visible to the reader.
  func asset(_ id: String, for reader: PhotoReader) throws(PhotoLibraryError) -> Asset? {
    try rows(
      """
      SELECT id, title, media_type, path, bytes, created_at, app, session, source_path FROM asset
      WHERE state = 2
      AND (?1 = 3 OR (?1 >= 1 AND session = ?2) OR (?1 = 2 AND EXISTS
      (SELECT 1 FROM selection WHERE selection.app = ?3 AND selection.asset = asset.serial)))
      AND id = ?4
      """,
      Self.filter(reader) + [.text(id)],
      Self.asset
    ).first
  }

  /// Returns a fingerprint of the assets that a reader may see. One row per asset is read.
  func visible(to reader: PhotoReader) throws(PhotoLibraryError) -> AssetSetFingerprint {
    let found = try rows(
      """
      SELECT count(*), coalesce(sum(serial), 0), coalesce(sum(serial * serial % 4294967291), 0) FROM asset
      WHERE state = 2
      AND (?1 = 3 OR (?1 >= 1 AND session = ?2) OR (?1 = 2 AND EXISTS
      (SELECT 1 FROM selection WHERE selection.app = ?3 AND selection.asset = asset.serial)))
      """,
      Self.filter(reader)
    ) { AssetSetFingerprint(count: $0.integer(0), numbers: $0.integer(1), squares: $0.integer(2)) }
    return found.first ?? AssetSetFingerprint(count: 0, numbers: 0, squares: 0)
  }

  /// Returns a number that changes whenever another connection has changed the index.
  func version() throws(PhotoLibraryError) -> Int64 {
    try rows("PRAGMA data_version", []) { $0.integer(0) }.first ?? 0
  }

  /// Returns the position of an asset, whether or not it is visible to a reader, or `nil` if there is none.
  func position(of id: String) throws(PhotoLibraryError) -> AssetPosition? {
    try rows("SELECT created_at FROM asset WHERE id = ?1", [.text(id)]) {
      AssetPosition(createdAt: $0.integer(0), id: id)
    }.first
  }

  /// Returns the assets that a session has added, oldest first.
  func added(by session: String) throws(PhotoLibraryError) -> [Asset] {
    try rows(
      """
      SELECT id, title, media_type, path, bytes, created_at, app, session, source_path FROM asset
      WHERE state = 2 AND session = ?1 ORDER BY serial
      """,
      [.text(session)],
      Self.asset
    )
  }

  /// Returns the inode number and modification time of a file when it was stored.
  func placed(_ id: String) throws(PhotoLibraryError) -> (inode: UInt64, modified: Int64)? {
    try rows("SELECT inode, modified FROM asset WHERE id = ?1", [.text(id)]) {
      (UInt64(bitPattern: $0.integer(0)), $0.integer(1))
    }.first
  }

  /// Returns whether an asset in any state has this path.
  func hasPath(_ path: String) throws(PhotoLibraryError) -> Bool {
    try !rows("SELECT 1 FROM asset WHERE path = ?1", [.text(path)]) { _ in true }.isEmpty
  }

  // MARK: - Adding and removing

  /// Reserves the ID and path of an asset, and records the owner and the source file.
  func reserve(_ asset: Asset, _ work: AssetWork) throws(PhotoLibraryError) {
    try run(
      """
      INSERT INTO asset (id, state, title, media_type, path, bytes, inode, modified, created_at, app, session,
      source_path) VALUES (?1, 0, ?2, ?3, ?4, ?5, 0, 0, ?6, ?7, ?8, ?9)
      """,
      [
        .text(asset.id), .text(asset.title), .text(asset.mediaType.rawValue), .text(asset.path),
        .integer(asset.bytes), .integer(asset.createdAt), .text(asset.app), .optional(asset.session),
        .optional(asset.sourcePath),
      ]
    )
    try note(work, for: asset.id)
  }

  /// Records the owner of the work for an asset.
  func note(_ work: AssetWork, for id: String) throws(PhotoLibraryError) {
    try run(
      """
      INSERT OR REPLACE INTO work (asset, owner, source_directory, source_inode)
      SELECT serial, ?2, ?3, ?4 FROM asset WHERE id = ?1
      """,
      [
        .text(id), .text(work.owner), .optional(work.source?.directory),
        work.source.map { .integer(Int64(bitPattern: $0.inode)) } ?? .null,
      ]
    )
  }

  /// Records that the data of an asset is durable in this file.
  func stage(_ id: String, inode: UInt64, modified: Int64) throws(PhotoLibraryError) {
    try run(
      "UPDATE asset SET state = 1, inode = ?2, modified = ?3 WHERE id = ?1",
      [.text(id), .integer(Int64(bitPattern: inode)), .integer(modified)]
    )
  }

  /// Changes the path of an asset that is not visible yet.
  func move(_ id: String, to path: String) throws(PhotoLibraryError) {
    try run("UPDATE asset SET path = ?2 WHERE id = ?1", [.text(id), .text(path)])
  }

  /// Makes the asset visible, and selects it for its app in case the app's permission is limited.
  func commit(_ id: String) throws(PhotoLibraryError) {
    try run("UPDATE asset SET state = 2 WHERE id = ?1", [.text(id)])
    try run(
      "INSERT OR IGNORE INTO selection (app, asset) SELECT app, serial FROM asset WHERE id = ?1",
      [.text(id)]
    )
  }

  /// Makes the asset invisible. Its file still exists.
  func markDeleting(_ id: String) throws(PhotoLibraryError) {
    try run("UPDATE asset SET state = 3 WHERE id = ?1", [.text(id)])
  }

  /// Removes an asset from the index.
  func delete(_ id: String) throws(PhotoLibraryError) {
    try run("DELETE FROM asset WHERE id = ?1", [.text(id)])
  }

  /// Removes the work of an asset.
  func finish(_ id: String) throws(PhotoLibraryError) {
    try run("DELETE FROM work WHERE asset = (SELECT serial FROM asset WHERE id = ?1)", [.text(id)])
  }

  /// Returns all assets with pending work, in the order of their serial numbers.
  func unfinished() throws(PhotoLibraryError) -> [UnfinishedAsset] {
    try rows(
      """
      SELECT id, title, media_type, path, bytes, created_at, app, session, source_path,
      state, inode, owner, source_directory, source_inode FROM work JOIN asset ON serial = work.asset
      ORDER BY serial
      """,
      []
    ) { row in
      UnfinishedAsset(
        asset: Self.asset(row),
        state: AssetState(rawValue: row.integer(9)) ?? .reserved,
        inode: UInt64(bitPattern: row.integer(10)),
        work: AssetWork(
          owner: row.text(11),
          source: row.optionalText(12).map {
            AssetWork.Source(directory: $0, inode: UInt64(bitPattern: row.integer(13)))
          }
        )
      )
    }
  }

  /// Returns the assets that are not visible yet, including those of other owners.
  func incomingIDs() throws(PhotoLibraryError) -> Set<String> {
    Set(try rows("SELECT id FROM asset WHERE state < 2", []) { $0.text(0) })
  }

  // MARK: - Selections

  /// Adds an asset to the selection of an app, or removes it.
  func select(_ id: String, for app: String, _ isSelected: Bool) throws(PhotoLibraryError) {
    if isSelected {
      try run(
        "INSERT OR IGNORE INTO selection (app, asset) SELECT ?2, serial FROM asset WHERE id = ?1",
        [.text(id), .text(app)]
      )
    } else {
      try run(
        "DELETE FROM selection WHERE app = ?2 AND asset = (SELECT serial FROM asset WHERE id = ?1)",
        [.text(id), .text(app)]
      )
    }
  }

  /// Returns the IDs of the assets that are selected for an app, oldest first.
  func selected(for app: String) throws(PhotoLibraryError) -> [String] {
    try rows(
      """
      SELECT id FROM selection JOIN asset ON serial = selection.asset
      WHERE selection.app = ?1 AND state = 2 ORDER BY serial
      """,
      [.text(app)]
    ) { $0.text(0) }
  }

  /// Removes all assets from the selection of an app.
  func clearSelection(of app: String) throws(PhotoLibraryError) {
    try run("DELETE FROM selection WHERE app = ?1", [.text(app)])
  }
}
