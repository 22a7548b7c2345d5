// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The quarantine directory of a session: the items as `items/N`, and a list with the path and reason of
/// each.
///
/// A line of the list is durable before its item is moved, so that each item has a path and a reason after a
/// crash. A line without an item means that the crash preceded the move.
struct QuarantineDirectory {
  /// An entry to be quarantined.
  struct Item {
    /// The name in its directory.
    let name: [UInt8]
    /// The path relative to the content directory.
    let path: EntryPath
    /// The reason for which it may not be delivered.
    let reason: QuarantineReason
  }

  private let directory: String
  private let parent: String
  /// The content directory from which items come, for error messages.
  private let contentPath: String
  private var items: OpenDirectory?
  private var nextIndex: Int64 = 0

  /// Creates the quarantine of a session. The directory is created with the first item.
  init(_ app: AppStore, _ session: SessionID) {
    directory = app.quarantine(session)
    parent = app.quarantineDirectory
    contentPath = app.root.session(session).contentDirectory
  }

  private static func list(_ directory: String) -> AppendedLines {
    AppendedLines(path: "\(directory)/list.ndjson")
  }
  private static func items(_ directory: String) -> String { "\(directory)/items" }

  /// Moves entries of an open directory to the quarantine without following or opening them.
  ///
  /// ``synchronize(_:_:)`` makes the moves durable.
  mutating func add(_ rejected: [Item], from source: OpenDirectory) throws(StoreError) {
    let items = try open()
    let first = nextIndex
    nextIndex += Int64(rejected.count)
    try append(rejected, from: first)
    for (offset, item) in rejected.enumerated() {
      do {
        try Self.move(item.name, from: source, to: Array("\(first + Int64(offset))".utf8), in: items)
      } catch {
        switch error.errno {
        case .busy: throw .mountedInside(path: "\(contentPath)/\(item.path.text)")
        case .notPermitted: throw .immovable(path: "\(contentPath)/\(item.path.text)")
        default: throw .system(error)
        }
      }
    }
  }

  /// Makes all moves to the quarantine durable with one syncfs(2). They need not be durable before the
  /// record.
  static func synchronize(_ app: AppStore, _ session: SessionID) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try FileSystem.open(items(app.quarantine(session)), [.directory, .noFollow]).synchronizeFileSystem()
    }
  }

  /// Renames an entry. A directory needs write permission for its owner, because the rename changes its `..`.
  private static func move(
    _ name: [UInt8],
    from source: OpenDirectory,
    to newName: [UInt8],
    in items: OpenDirectory
  ) throws(SystemCallError) {
    do {
      try source.descriptor.renameEntry(name, to: newName, in: items.descriptor)
    } catch  where error.errno == .noSuchFile {
      return
    } catch  where error.errno == .permissionDenied {
      try source.descriptor.openEntry(name, [.path, .directory]).setPermissionsOfPath(0o700)
      try source.descriptor.renameEntry(name, to: newName, in: items.descriptor)
    } catch  where error.errno == .crossDevice {
      try copy(name, from: source, to: newName, in: items)
    }
  }

  /// Copies an entry from another file system and removes the original.
  ///
  /// The data of a file and the target of a symbolic link are copied. Special files cannot be opened safely,
  /// so an empty file replaces them; their type is in the list.
  private static func copy(
    _ name: [UInt8],
    from source: OpenDirectory,
    to newName: [UInt8],
    in items: OpenDirectory
  ) throws(SystemCallError) {
    guard let status = try source.descriptor.status(of: name) else { return }
    // A directory on another file system is a mount point, which cannot be moved.
    if status.kind == .directory {
      throw SystemCallError("renameat2", path: FileName.text(name), errno: .busy)
    }
    let (new, raw) = (String(decoding: newName, as: UTF8.self), items.descriptor.rawValue)
    if status.kind == .symbolicLink {
      let target = try source.descriptor.linkTarget(of: name)
      try FileSystem.makeSymbolicLink(new, in: .directory(raw), to: target)
    } else {
      let copy = try FileSystem.open(new, in: .directory(raw), [.write, .create, .exclusive, .noFollow])
      if status.kind == .regular {
        try source.descriptor.openEntry(name, [.nonBlocking]).copySparsely(to: copy)
      }
      try copy.synchronize()
    }
    try items.descriptor.synchronize()
    try source.descriptor.unlinkEntry(name)
  }

  private mutating func open() throws(StoreError) -> OpenDirectory {
    if let items { return items }
    let opened = try system { () throws(SystemCallError) in
      try FileSystem.makeDirectories(Self.items(directory))
      // Make the directories durable first, so that no power failure loses both names of a moved entry.
      try FileSystem.synchronizeDirectory(directory)
      try FileSystem.synchronizeDirectory(parent)
      return try OpenDirectory(FileSystem.open(Self.items(directory), [.directory, .noFollow]))
    }
    nextIndex = try Self.nextIndex(directory)
    items = opened
    return opened
  }

  /// Returns the first index that neither a line nor an item has.
  private static func nextIndex(_ directory: String) throws(StoreError) -> Int64 {
    let names = try system { () throws(SystemCallError) in try FileSystem.names(in: items(directory)) }
    let used = try lines(directory).map(\.index) + names.compactMap { Int64($0) }
    return (used.max() ?? -1) + 1
  }

  private func append(_ rejected: [Item], from first: Int64) throws(StoreError) {
    let lines = rejected.enumerated().map { offset, item -> JSONValue in
      [
        "index": .integer(first + Int64(offset)), "path": .string(item.path.text),
        "reason": .string(item.reason.rawValue),
      ]
    }
    try system { () throws(SystemCallError) in
      try Self.list(directory).append(lines, isSynchronized: true)
      try FileSystem.synchronizeDirectory(directory)
    }
  }

  /// Returns the complete lines of the list.
  private static func lines(
    _ directory: String
  ) throws(StoreError) -> [(index: Int64, item: SessionRecord.Quarantined)] {
    let values = try system { () throws(SystemCallError) in try list(directory).values() }
    return values.compactMap { value in
      guard let index = value["index"]?.integer, let path = value["path"]?.string,
        let reason = value["reason"]?.string,
        let reason = QuarantineReason(rawValue: EarlierSpelling.updatedQuarantineReason(reason))
      else { return nil }
      return (index, SessionRecord.Quarantined(path: path, reason: reason))
    }
  }

  /// Returns the items in the quarantine of a session.
  static func contents(of app: AppStore, _ session: SessionID) throws(StoreError) -> [SessionRecord
    .Quarantined]
  {
    let directory = app.quarantine(session)
    let present = try system { () throws(SystemCallError) in Set(try FileSystem.names(in: items(directory))) }
    return try lines(directory).filter { present.contains(String($0.index)) }.map(\.item)
  }
}
