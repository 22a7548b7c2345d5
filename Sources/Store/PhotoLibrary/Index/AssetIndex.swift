// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The index of the library: which assets there are, and what remains to be done about them.
final class AssetIndex {
  private let database: Database

  /// Opens the index, or makes it. Nobody else may be doing so at the same time.
  init(_ path: String) throws(PhotoLibraryError) {
    database = try library { () throws(DatabaseError) in try Database(path) }
    try IndexSchema.prepare(database, path)
  }

  /// Does several things as one.
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

  /// The values by which ``page(_:for:atMost:)`` and ``asset(_:for:)`` leave out what a reader may not see.
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

  /// The assets that a reader may see, newest first, from the one after a position on.
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

  /// An asset, if there is one with this id that a reader may see.
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

  /// What a reader may see, as a whole; one row is read for each asset.
  func visible(to reader: PhotoReader) throws(PhotoLibraryError) -> VisibleAssets {
    let found = try rows(
      """
      SELECT count(*), coalesce(sum(serial), 0), coalesce(sum(serial * serial % 4294967291), 0) FROM asset
      WHERE state = 2
      AND (?1 = 3 OR (?1 >= 1 AND session = ?2) OR (?1 = 2 AND EXISTS
      (SELECT 1 FROM selection WHERE selection.app = ?3 AND selection.asset = asset.serial)))
      """,
      Self.filter(reader)
    ) { VisibleAssets(count: $0.integer(0), numbers: $0.integer(1), squares: $0.integer(2)) }
    return found.first ?? VisibleAssets(count: 0, numbers: 0, squares: 0)
  }

  /// A number that is another whenever somebody else has changed the index; changes by this connection do not count.
  func version() throws(PhotoLibraryError) -> Int64 {
    try rows("PRAGMA data_version", []) { $0.integer(0) }.first ?? 0
  }

  /// The time by which an asset is found in the order, whoever may see it; nil if there is none.
  func position(of id: String) throws(PhotoLibraryError) -> AssetPosition? {
    try rows("SELECT created_at FROM asset WHERE id = ?1", [.text(id)]) {
      AssetPosition(createdAt: $0.integer(0), id: id)
    }.first
  }

  /// What a session has added, oldest first.
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

  /// How a file was when it was put into its place.
  func placed(_ id: String) throws(PhotoLibraryError) -> (inode: UInt64, modified: Int64)? {
    try rows("SELECT inode, modified FROM asset WHERE id = ?1", [.text(id)]) {
      (UInt64(bitPattern: $0.integer(0)), $0.integer(1))
    }.first
  }

  /// Whether an asset has this path, in whatever state.
  func hasPath(_ path: String) throws(PhotoLibraryError) -> Bool {
    try !rows("SELECT 1 FROM asset WHERE path = ?1", [.text(path)]) { _ in true }.isEmpty
  }

  // MARK: - Adding and removing

  /// Takes name and place for an asset, and notes who is at work on it and where its file comes from.
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

  /// Notes who is at work on an asset.
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

  /// The bytes of an asset are safe in this file.
  func stage(_ id: String, inode: UInt64, modified: Int64) throws(PhotoLibraryError) {
    try run(
      "UPDATE asset SET state = 1, inode = ?2, modified = ?3 WHERE id = ?1",
      [.text(id), .integer(Int64(bitPattern: inode)), .integer(modified)]
    )
  }

  /// Gives an asset that is not there yet another place.
  func move(_ id: String, to path: String) throws(PhotoLibraryError) {
    try run("UPDATE asset SET path = ?2 WHERE id = ?1", [.text(id), .text(path)])
  }

  /// The asset is there from now on; it is among those that are selected for its app, should that be limited.
  func commit(_ id: String) throws(PhotoLibraryError) {
    try run("UPDATE asset SET state = 2 WHERE id = ?1", [.text(id)])
    try run(
      "INSERT OR IGNORE INTO selection (app, asset) SELECT app, serial FROM asset WHERE id = ?1",
      [.text(id)]
    )
  }

  /// The asset is not there any more, although its file still is.
  func leave(_ id: String) throws(PhotoLibraryError) {
    try run("UPDATE asset SET state = 3 WHERE id = ?1", [.text(id)])
  }

  /// Forgets an asset.
  func forget(_ id: String) throws(PhotoLibraryError) {
    try run("DELETE FROM asset WHERE id = ?1", [.text(id)])
  }

  /// Nothing remains to be done about an asset.
  func finish(_ id: String) throws(PhotoLibraryError) {
    try run("DELETE FROM work WHERE asset = (SELECT serial FROM asset WHERE id = ?1)", [.text(id)])
  }

  /// Everything about which something remains to be done, in the order of the assets.
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

  /// The assets that are not there yet or not any more; those of others included.
  func incomingIDs() throws(PhotoLibraryError) -> Set<String> {
    Set(try rows("SELECT id FROM asset WHERE state < 2", []) { $0.text(0) })
  }

  // MARK: - Selections

  /// Adds an asset to those that are selected for an app, or takes it away from them.
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

  /// The ids of the assets that are selected for an app, oldest first.
  func selected(for app: String) throws(PhotoLibraryError) -> [String] {
    try rows(
      """
      SELECT id FROM selection JOIN asset ON serial = selection.asset
      WHERE selection.app = ?1 AND state = 2 ORDER BY serial
      """,
      [.text(app)]
    ) { $0.text(0) }
  }

  /// Takes away everything that is selected for an app.
  func clearSelection(of app: String) throws(PhotoLibraryError) {
    try run("DELETE FROM selection WHERE app = ?1", [.text(app)])
  }
}
