// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// Where goes of a session's content what may not reach the app: `items/N`, and a list that says what each was.
///
/// The list is durable before anything is moved, so that after a crash each item still has its path and reason. A
/// line whose item is missing means that the crash came before the move.
struct QuarantineFolder {
  /// Something to be moved aside.
  struct Item {
    /// Its name in its directory.
    let name: [UInt8]
    /// Its path.
    let path: EntryPath
    /// Why it may not reach the app.
    let reason: QuarantineReason
  }

  private let directory: String
  private let parent: String
  /// Where the items come from, for who has to look at one.
  private let place: String
  private var items: OpenDirectory?
  private var nextIndex: Int64 = 0

  /// The quarantine of a session; nothing is made before it is needed.
  init(_ app: AppStore, _ session: SessionID) {
    directory = app.quarantine(session)
    parent = app.quarantineDirectory
    place = app.root.session(session).contentDirectory
  }

  private static func list(_ directory: String) -> String { "\(directory)/list.ndjson" }
  private static func items(_ directory: String) -> String { "\(directory)/items" }

  /// Moves entries of an open directory aside. They are neither followed nor opened. ``synchronize(_:_:)`` makes that
  /// durable.
  mutating func take(_ rejected: [Item], from source: OpenDirectory) throws(StoreError) {
    let items = try open()
    let first = nextIndex
    nextIndex += Int64(rejected.count)
    try append(rejected, from: first)
    for (offset, item) in rejected.enumerated() {
      do {
        try Self.move(item.name, from: source, to: Array("\(first + Int64(offset))".utf8), in: items)
      } catch {
        switch error.errno {
        case .busy: throw .mountedInside(path: "\(place)/\(item.path.text)")
        case .notPermitted: throw .immovable(path: "\(place)/\(item.path.text)")
        default: throw .system(error)
        }
      }
    }
  }

  /// Makes durable that things were moved there, and what they are: nothing relies on it before the record, so all of it
  /// together, and no item has two names or none.
  static func synchronize(_ app: AppStore, _ session: SessionID) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try FileSystem.open(items(app.quarantine(session)), [.directory, .noFollow]).synchronizeFileSystem()
    }
  }

  /// Renames; a directory that its owner may not write can't change its `..`, so it is made writable then.
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

  /// Copies what is on another file system, and removes it there: the data of a file, where a link leads. Of what is
  /// neither, and can't be opened without harm, an empty file remains; what it was is in the list.
  private static func copy(
    _ name: [UInt8],
    from source: OpenDirectory,
    to newName: [UInt8],
    in items: OpenDirectory
  ) throws(SystemCallError) {
    guard let status = try source.descriptor.status(of: name) else { return }
    // A directory is kept apart whole or not at all; it is a mount of its own.
    if status.kind == .directory {
      throw SystemCallError("renameat2", path: FileName.text(name), errno: .busy)
    }
    let (new, raw) = (String(decoding: newName, as: UTF8.self), items.descriptor.rawValue)
    if status.kind == .symbolicLink {
      let target = try source.descriptor.linkTarget(of: name)
      try FileSystem.makeLink(new, in: .directory(raw), to: target)
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
      // Before anything is moved there, so that nothing can lose its old name and hang in the air with its new one.
      try FileSystem.synchronizeDirectory(directory)
      try FileSystem.synchronizeDirectory(parent)
      return try OpenDirectory(FileSystem.open(Self.items(directory), [.directory, .noFollow]))
    }
    nextIndex = (try Self.lines(directory).map(\.index).max() ?? -1) + 1
    items = opened
    return opened
  }

  private func append(_ rejected: [Item], from first: Int64) throws(StoreError) {
    // The line break comes first: a line that a crash cut short then spoils no other.
    var bytes: [UInt8] = []
    for (offset, item) in rejected.enumerated() {
      let line: JSONValue = [
        "index": .integer(first + Int64(offset)), "path": .string(item.path.text),
        "reason": .string(item.reason.rawValue),
      ]
      bytes += [UInt8(ascii: "\n")] + line.bytes(.compact)
    }
    try system { () throws(SystemCallError) in
      let file = try FileSystem.open(Self.list(directory), [.write, .create, .append, .noFollow])
      try file.writeAll(bytes)
      try file.synchronize()
      try FileSystem.synchronizeDirectory(directory)
    }
  }

  /// The lines of the list that are whole.
  private static func lines(
    _ directory: String
  ) throws(StoreError) -> [(index: Int64, item: SessionRecord.Quarantined)] {
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.contents(list(directory), limit: JSONLimits.record.bytes) ?? []
    } catch  where error.errno == .noSuchFile {
      return []
    } catch { throw .system(error) }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let value = try? JSONNode.parse(Array(line)).value, let index = value["index"]?.integer,
        let path = value["path"]?.string, let reason = value["reason"]?.string,
        let reason = QuarantineReason(rawValue: reason)
      else { return nil }
      return (index, SessionRecord.Quarantined(path: path, reason: reason))
    }
  }

  /// What is in the quarantine of a session.
  static func contents(of app: AppStore, _ session: SessionID) throws(StoreError) -> [SessionRecord
    .Quarantined]
  {
    let directory = app.quarantine(session)
    let present = try system { () throws(SystemCallError) in Set(try FileSystem.names(in: items(directory))) }
    return try lines(directory).filter { present.contains(String($0.index)) }.map(\.item)
  }
}
