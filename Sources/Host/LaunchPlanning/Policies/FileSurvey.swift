// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import PolicyLint
internal import SandboxPolicy

/// Looks at what paths of this machine hold, as far as this user may and a bound allows. It follows no symbolic link but
/// the path itself, opens nothing but directories, and changes nothing.
package struct FileSurvey: Sendable {
  /// How many entries are looked at below one path, at most.
  package var entries: Int

  /// The bound if nobody says another.
  package static let standardEntries = 250_000
  /// The largest file with accounts that is read, in bytes.
  private static let accountBytes = 1 << 20

  /// Makes a survey.
  package init(entries: Int = standardEntries) { self.entries = entries }

  /// Looks at the paths of some policies.
  package func facts(for paths: some Sequence<String>) -> FileFacts {
    var facts = FileFacts(paths: [:], homes: Self.homes())
    for path in paths where facts.paths[path] == nil { facts.paths[path] = look(at: path) }
    return facts
  }

  /// What a path holds; nil if it is not there.
  private func look(at path: String) -> PathFacts? {
    guard let real = try? FileSystem.realPath(path), let status = try? FileSystem.status(real) else {
      return nil
    }
    var walk = SurveyWalk(bound: max(1, entries))
    walk.note(status, path)
    walk.noteSecret(real, status, path)
    // By levels: where the bound ends the walk, the upper levels are complete.
    var waiting = status.kind == .directory ? [(shown: path, real: real)] : []
    while !waiting.isEmpty {
      var next: [(shown: String, real: String)] = []
      for directory in waiting {
        guard walk.facts.isComplete else { return walk.facts }
        for name in walk.directories(in: directory.real, shownAs: directory.shown) {
          next.append(("\(directory.shown)/\(name)", "\(directory.real)/\(name)"))
        }
      }
      waiting = next
    }
    return walk.facts
  }

  /// The home directories of this machine's people: of the accounts that are not a service's.
  private static func homes() -> Set<String> {
    guard let text = try? FileSystem.contents("/etc/passwd", limit: accountBytes) else { return [] }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    return Set(
      lines.compactMap { line in
        let fields = line.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count >= 6, let user = UInt32(fields[2]), user == 0 || (1000..<65534).contains(user)
        else { return nil }
        let home = String(fields[5])
        let kind = (try? FileSystem.status(home))?.kind
        return home.hasPrefix("/") && home != "/" && kind == .directory ? home : nil
      }
    )
  }
}

/// One walk through one path.
private struct SurveyWalk {
  /// How many entries are looked at, at most.
  let bound: Int
  /// What was found so far.
  private(set) var facts = PathFacts(seen: 0)

  /// Nothing seen yet.
  init(bound: Int) { self.bound = bound }

  /// Notes a path that is itself a file with private keys or passwords.
  mutating func noteSecret(_ real: String, _ status: FileStatus, _ shown: String) {
    guard status.kind == .regular,
      let directory = try? FileSystem.open(FileSystem.directoryName(real), [.directory])
    else { return }
    let name = Array(FileSystem.lastComponent(real).utf8)
    if SecretFile.isSecret(name, status, in: directory) { add(.secret, shown) }
  }

  /// Looks at the entries of a directory; returns the names of those that are directories.
  mutating func directories(in directory: String, shownAs shown: String) -> [String] {
    let room = bound - facts.seen
    guard room > 0, let open = try? FileSystem.open(directory, [.directory, .noFollow]),
      let names = try? open.entryNames(atMost: room + 1)
    else {
      if room > 0 { add(.unreadable, shown) } else { facts.isComplete = false }
      return []
    }
    if names.count > room { facts.isComplete = false }
    var directories: [String] = []
    for name in names.prefix(room) {
      guard let status = try? open.status(of: name) else { continue }
      note(status, Self.path(name, in: shown))
      if status.kind == .regular, SecretFile.isSecret(name, status, in: open) {
        add(.secret, Self.path(name, in: shown))
      }
      guard status.kind == .directory else { continue }
      let text = String(decoding: name, as: UTF8.self)
      // A name that is no text cannot be spoken again; nothing is known of what is in it.
      if Array(text.utf8) == name { directories.append(text) } else { add(.unreadable, "\(shown)/\(text)") }
    }
    return directories
  }

  /// The path of an entry, as it is shown.
  private static func path(_ name: [UInt8], in directory: String) -> String {
    "\(directory)/\(String(decoding: name, as: UTF8.self))"
  }

  /// Counts a file, and lists it if it has a remarkable property. The path is built only then: nearly all files have none.
  mutating func note(_ status: FileStatus, _ path: @autoclosure () -> String) {
    facts.seen += 1
    switch status.kind {
    case .socket: add(.socket, path())
    case .fifo: add(.fifo, path())
    case .characterDevice, .blockDevice: add(.device, path())
    case .regular where status.permissions & 0o6000 != 0: add(.setID, path())
    case .regular, .directory, .symbolicLink: break
    }
    // The bits of a symbolic link mean nothing.
    if status.kind != .symbolicLink, status.permissions & 0o002 != 0 { add(.writableByOthers, path()) }
  }

  /// Counts a remarkable file, and lists the first ones.
  private mutating func add(_ kind: FileFinding.Kind, _ path: String) {
    facts.counts[kind, default: 0] += 1
    if facts.counts[kind, default: 0] <= FileFinding.perKind {
      facts.findings.append(FileFinding(kind, path))
    }
  }
}
