// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives
internal import SessionStore

/// What an extension writes in a session: always the same, so that whoever looks later knows it.
enum Plan: String, CaseIterable {
  /// Nothing at all.
  case none
  /// Two files, each of which is made durable by itself.
  case small
  /// A file in a directory: the least that there is.
  case least
  /// More files than are made durable one by one.
  case many
  /// Also what has to be changed and what must not reach the app.
  case full
  /// Names that are changed: directories, files in them, names that differ only by case, and a repository.
  case renamed

  /// Whether the extension says something, too, which is erased in the end. Of the others nothing is left.
  var speaks: Bool { self == .least || self == .full }

  /// Something that is written.
  struct Entry {
    /// What it is.
    enum Kind {
      /// A file of so many bytes.
      case file(Int)
      /// Something that is kept from the app.
      case rejected(QuarantineReason)
    }

    /// Its path below the content directory.
    let path: String
    /// What it is.
    let kind: Kind
    /// The mode that the extension gives it.
    var mode: UInt32 = 0o644
    /// The mode that it gives the directory around it afterwards.
    var directoryMode: UInt32?
    /// The path that the app gets, if it is another.
    var newPath: String?

    /// The path in the app's container.
    var delivered: String { newPath ?? path }

    /// Whether `place` is the path of this entry or of a directory above it, with each name as it was or as it becomes.
    func isAtOrBelow(_ place: String) -> Bool {
      let names = place.split(separator: "/")
      let (old, new) = (path.split(separator: "/"), delivered.split(separator: "/"))
      return names.count <= old.count && names.indices.allSatisfy { [old[$0], new[$0]].contains(names[$0]) }
    }

    /// Whether `place` is such a path whose last name is the old one of two.
    func isNotYetRenamed(at place: String) -> Bool {
      let names = place.split(separator: "/")
      return isAtOrBelow(place) && names.last != delivered.split(separator: "/").prefix(names.count).last
    }
  }

  /// Everything, in the order in which it is written.
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
        // The last that makes it a repository.
        Entry(path: "HEAD", kind: .file(41), newPath: "%48EAD"),
        Entry(path: "-d/.git/config", kind: .file(300), newPath: "%2Dd/%2Egit/config"),
        Entry(path: "-d/A.jpg", kind: .file(2000), newPath: "%2Dd/A.jpg"),
        // The digest is that of "a.jpg/1".
        Entry(path: "-d/a.jpg", kind: .file(3000), newPath: "%2Dd/a~d622f3d77cbe.jpg"),
        Entry(path: "-d/b*", kind: .file(10), newPath: "%2Dd/b%2A"),
        Entry(path: "-d/c.jpg", kind: .file(10), newPath: "%2Dd/c.jpg"),
      ]
    }
  }

  /// The bytes of a file.
  static func bytes(_ path: String, _ count: Int) -> [UInt8] {
    var state = path.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }

  /// Writes an entry below a content directory, as an extension does it.
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
