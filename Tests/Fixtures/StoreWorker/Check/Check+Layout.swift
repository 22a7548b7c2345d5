// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// A directory with all that is below it.
enum Tree {
  /// Something below it.
  struct Entry {
    /// Its path.
    let path: String
    /// What it is.
    let status: FileStatus
  }

  /// Everything below a directory.
  static func list(_ top: String) throws -> [Entry] {
    var found: [Entry] = []
    var pending = [""]
    while let directory = pending.popLast() {
      for name in try FileSystem.names(in: "\(top)/\(directory)") {
        let path = directory.isEmpty ? name : "\(directory)/\(name)"
        guard let status = try FileSystem.status("\(top)/\(path)") else { continue }
        found.append(Entry(path: path, status: status))
        if status.kind == .directory { pending.append(path) }
      }
    }
    return found
  }
}

/// Where files can be. Everything else is a stray file.
extension Check {
  /// Looks for what nobody knows.
  func checkLayout() throws {
    for entry in try Tree.list(world.root.path) {
      let parts = entry.path.split(separator: "/").map(String.init)
      let isExpected =
        entry.status.kind == .directory ? Self.isDirectory(parts) : Self.isFile(parts)
      expect(isExpected, "\(entry.path) is left over")
    }
  }

  /// What a path is made of.
  private enum Part {
    /// The id of a session.
    static let session = "SESSION"
    /// A number.
    static let number = "NUMBER"
    /// Any name.
    static let any = "*"
    /// Any names, to the end.
    static let rest = "**"
  }

  private static let directories = [
    "apps", "apps/*", "apps/*/bundle", "apps/*/bundle/NUMBER", "apps/*/bundle/NUMBER/**", "apps/*/container",
    "apps/*/container/SessionContent", "apps/*/container/SessionContent/SESSION",
    "apps/*/container/SessionContent/SESSION/**", "apps/*/container/SessionRecords",
    "apps/*/container/Activities", "apps/*/context", "apps/*/quarantine", "apps/*/quarantine/SESSION",
    "apps/*/quarantine/SESSION/items", "apps/*/quarantine/SESSION/items/**", "apps/*/assets", "groups",
    "groups/*", "groups/*/**", "apps/*/verified", "sessions", "trash", "log", "log/aside", "keys", "learning",
    "filters", "proofs", "lock", "spare",
  ]
  private static let files = [
    "version", "filters/*", "proofs/*", "spare/lock", "spare/reserve-general", "spare/reserve-journal",
    "spare/reserve-settling",
    "seat.lock", "seat.json", "lock/first-unlock",
    "apps/.lock",
    "apps/*/installation.json",
    "apps/*/bundle/NUMBER/**", "apps/*/container/SessionContent/SESSION/**",
    "apps/*/container/SessionRecords/SESSION.json", "apps/*/container/Activities/*",
    "apps/*/container/app.lock", "apps/*/container/opening.lock", "apps/*/context/app.json",
    "apps/*/permissions.json", "apps/*/open.log", "apps/*/quarantine/SESSION/list.ndjson",
    "apps/*/quarantine/SESSION/items/**", "apps/*/verified/*", "log/sessions.ndjson", "log/aside/*",
  ]

  private static func isDirectory(_ parts: [String]) -> Bool { directories.contains { matches(parts, $0) } }

  private static func isFile(_ parts: [String]) -> Bool { files.contains { matches(parts, $0) } }

  private static func matches(_ parts: [String], _ pattern: String) -> Bool {
    let wanted = pattern.split(separator: "/").map(String.init)
    if wanted.last == Part.rest {
      return parts.count >= wanted.count && matches(parts, Array(wanted.dropLast()))
    }
    return parts.count == wanted.count && matches(parts, wanted)
  }

  private static func matches(_ parts: [String], _ wanted: [String]) -> Bool {
    zip(parts, wanted).allSatisfy { part, wanted in
      switch wanted {
      // What is being written, and what is waiting to go, has a name like that.
      case Part.any: !part.hasPrefix(".") && !part.contains(".new.")
      case Part.session: SessionID(part) != nil
      case Part.number: Int64(part) != nil
      case "\(Part.session).json": part.hasSuffix(".json") && SessionID(String(part.dropLast(5))) != nil
      default: part == wanted
      }
    }
  }
}
