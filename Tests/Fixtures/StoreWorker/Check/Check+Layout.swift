// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// A listing of a directory tree.
enum Tree {
  /// A file or directory in the tree.
  struct Entry {
    /// The path relative to the tree.
    let path: String
    /// The status of the file.
    let status: FileStatus
  }

  /// Returns all entries below a directory.
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

/// The known locations of files. All other files are stray.
extension Check {
  /// Checks that all files and directories are in known locations.
  func checkLayout(_ entries: [Tree.Entry]) {
    for entry in entries {
      let path = entry.path.split(separator: "/")
      let known = entry.status.kind == .directory ? Self.directories : Self.files
      expect(known.contains { $0.matches(path) }, "\(entry.path) is left over")
    }
  }

  private static let directories = [
    "apps", "apps/*", "apps/*/bundle", "apps/*/bundle/NUMBER", "apps/*/bundle/NUMBER/**", "apps/*/container",
    "apps/*/container/SessionContent", "apps/*/container/SessionContent/SESSION",
    "apps/*/container/SessionContent/SESSION/**", "apps/*/container/SessionRecords",
    "apps/*/container/Activities", "apps/*/context", "apps/*/quarantine", "apps/*/quarantine/SESSION",
    "apps/*/quarantine/SESSION/items", "apps/*/quarantine/SESSION/items/**", "apps/*/assets", "groups",
    "groups/*", "groups/*/**", "apps/*/verified", "sessions", "trash", "log", "log/aside", "keys", "learning",
    "filters", "proofs", "lock", "spare",
  ].map(PathPattern.init)
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
  ].map(PathPattern.init)
}

/// A set of paths. The pattern is split once, because each process of these tests compares all paths with all
/// patterns.
private struct PathPattern {
  /// A pattern for one path component.
  private enum Component {
    /// An exact name.
    case name(Substring)
    /// A session ID.
    case session
    /// A session ID with the suffix `.json`.
    case sessionDocument
    /// A number.
    case number
    /// Any name, except the names of unfinished files and of files pending removal.
    case any
  }

  private let components: [Component]
  /// Whether any names can follow.
  private let isOpen: Bool

  /// Parses a pattern, in which `SESSION`, `NUMBER`, `*` and, at the end, `**` match many names.
  init(_ text: String) {
    var words = text.split(separator: "/")
    isOpen = words.last == "**"
    if isOpen { words.removeLast() }
    components = words.map { word in
      switch word {
      case "SESSION": .session
      case "SESSION.json": .sessionDocument
      case "NUMBER": .number
      case "*": .any
      default: .name(word)
      }
    }
  }

  /// Whether a path matches the pattern.
  func matches(_ path: [Substring]) -> Bool {
    guard isOpen ? path.count > components.count : path.count == components.count else { return false }
    return zip(path, components).allSatisfy { name, component in
      switch component {
      case .name(let wanted): name == wanted
      case .session: SessionID(String(name)) != nil
      case .sessionDocument: name.hasSuffix(".json") && SessionID(String(name.dropLast(5))) != nil
      case .number: Int64(name) != nil
      case .any: !name.hasPrefix(".") && !name.contains(".new.")
      }
    }
  }
}
