// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives
internal import SessionStore

/// The files that an extension writes in a session. Each plan is deterministic, so that a later check knows
/// its files.
enum Plan: String, CaseIterable {
  /// No files.
  case none
  /// Two files, which are made durable individually.
  case small
  /// One file in a directory.
  case least
  /// More files than are made durable individually.
  case many
  /// Files that must be changed and entries that must not reach the app.
  case full
  /// Names that are changed: directories, files in them, names that differ only by case, and a repository.
  case renamed

  /// Whether the extension writes to the session log, which is erased in the end. The other plans leave
  /// nothing.
  var writesLog: Bool { self == .least || self == .full }

  /// An entry that the extension writes.
  struct Entry {
    /// The kind of an entry.
    enum Kind {
      /// A file with a number of bytes.
      case file(Int)
      /// An entry that is quarantined.
      case rejected(QuarantineReason)
    }

    /// The path below the content directory.
    let path: String
    /// The kind of the entry.
    let kind: Kind
    /// The mode that the extension sets.
    var mode: UInt32 = 0o644
    /// The mode that the extension sets on the parent directory afterwards.
    var directoryMode: UInt32?
    /// The delivered path, if it is different.
    var newPath: String?

    /// The path in the app's container.
    var delivered: String { newPath ?? path }

    /// Whether `place` is the path of this entry or of a parent directory, with each name before or after
    /// renaming.
    func isAtOrBelow(_ place: String) -> Bool {
      let names = place.split(separator: "/")
      let (old, new) = (path.split(separator: "/"), delivered.split(separator: "/"))
      return names.count <= old.count && names.indices.allSatisfy { [old[$0], new[$0]].contains(names[$0]) }
    }

    /// Whether `place` is such a path and its last name is not yet changed.
    func isBeforeRename(at place: String) -> Bool {
      let names = place.split(separator: "/")
      return isAtOrBelow(place) && names.last != delivered.split(separator: "/").prefix(names.count).last
    }
  }

  /// All entries, in the order in which they are written.
  var entries: [Entry] {
    switch self {
    case .none: []
    case .least: [Entry(path: "shots/1.jpg", kind: .file(3000))]
    case .small: [Entry(path: "a.jpg", kind: .file(5000)), Entry(path: "deep/er/b.raw", kind: .file(70_000))]
    case .many: (1...12).map { Entry(path: "part-\($0 % 3)/\($0).jpg", kind: .file($0 * 1000)) }
    case .full:
      [
        Entry(path: "a.jpg", kind: .file(5000)),
        Entry(path: "deep/er/b.raw", kind: .file(70_000), mode: 0o4755),
        Entry(path: "deep/er/link", kind: .rejected(.symbolicLink)),
        Entry(path: "empty", kind: .file(0), mode: 0),
        Entry(path: "locked/c.jpg", kind: .file(100), mode: 0o200, directoryMode: 0o000),
        Entry(path: "pipe", kind: .rejected(.fifo)),
      ]
    case .renamed:
      [
        Entry(path: "objects/1", kind: .file(900)), Entry(path: "refs/1", kind: .file(41)),
        // This entry makes the directory a repository.
        Entry(path: "HEAD", kind: .file(41), newPath: "%48EAD"),
        Entry(path: "-d/.git/config", kind: .file(300), newPath: "%2Dd/%2Egit/config"),
        Entry(path: "-d/A.jpg", kind: .file(2000), newPath: "%2Dd/A.jpg"),
        // The digest of "a.jpg/1".
        Entry(path: "-d/a.jpg", kind: .file(3000), newPath: "%2Dd/a~d622f3d77cbe.jpg"),
        Entry(path: "-d/b*", kind: .file(10), newPath: "%2Dd/b%2A"),
        Entry(path: "-d/c.jpg", kind: .file(10), newPath: "%2Dd/c.jpg"),
      ]
    }
  }

  /// Returns the bytes of a file.
  static func bytes(_ path: String, _ count: Int) -> [UInt8] {
    var state = path.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }

  /// Writes an entry below a content directory like an extension.
  static func write(_ entry: Entry, below content: String) throws {
    let path = "\(content)/\(entry.path)"
    let directory = FileSystem.directoryName(path)
    try FileSystem.makeDirectories(directory, mode: 0o755)
    switch entry.kind {
    case .file(let count):
      let file = try FileSystem.open(path, [.write, .create, .truncate])
      try file.writeAll(bytes(entry.path, count))
      try file.setPermissions(entry.mode)
    case .rejected(.symbolicLink): try FileSystem.makeSymbolicLink(path, to: "/etc/passwd")
    case .rejected:
      guard mkfifo(path, 0o600) == 0 else { throw SystemCallError("mkfifo", path: path) }
    }
    if let mode = entry.directoryMode {
      try FileSystem.open(directory, [.directory]).setPermissions(mode)
    }
  }
}
