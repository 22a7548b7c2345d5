// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import PolicyLint
internal import SandboxPolicy

/// Inspects the files below paths of this machine, limited by the user's permissions and a maximum number of
/// entries.
///
/// Symbolic links below the path are not followed. Only directories and files that may hold secrets are
/// opened, and nothing is changed.
package struct FileSurvey: Sendable {
  /// The maximum number of entries that are inspected below one path.
  package var entries: Int

  /// The default maximum.
  package static let standardEntries = 250_000
  /// The maximum size of the account file that is read, in bytes.
  private static let accountBytes = 1 << 20

  /// Creates a survey with a maximum number of entries.
  package init(entries: Int = standardEntries) { self.entries = entries }

  /// Returns facts about the files below the paths of some policies.
  package func facts(for paths: some Sequence<String>) -> FileFacts {
    var facts = FileFacts(paths: [:], homes: Self.homes())
    for path in paths where facts.paths[path] == nil { facts.paths[path] = inspect(at: path) }
    return facts
  }

  /// Returns facts about the files below a path, or `nil` if the path does not exist.
  private func inspect(at path: String) -> PathFacts? {
    guard let real = try? FileSystem.realPath(path), let status = try? FileSystem.status(real) else {
      return nil
    }
    var walk = SurveyWalk(bound: max(1, entries))
    walk.note(status, path)
    walk.noteSecret(real, status, path)
    // Breadth first, so that the upper levels are complete when the maximum is reached.
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

  /// Returns the home directories of root and the user accounts, without service accounts.
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

/// The state of a walk below one path.
private struct SurveyWalk {
  /// The maximum number of entries.
  let bound: Int
  /// The facts found so far.
  private(set) var facts = PathFacts(examinedEntries: 0)

  /// Creates a walk that has not inspected any file.
  init(bound: Int) { self.bound = bound }

  /// Records a path that is itself a file with private keys or passwords.
  mutating func noteSecret(_ real: String, _ status: FileStatus, _ shown: String) {
    guard status.kind == .regular,
      let directory = try? FileSystem.open(FileSystem.directoryName(real), [.directory])
    else { return }
    let name = Array(FileSystem.lastComponent(real).utf8)
    if SecretFile.isSecret(name, status, in: directory) { add(.secret, shown) }
  }

  /// Inspects the entries of a directory, and returns the names of its subdirectories.
  mutating func directories(in directory: String, shownAs shown: String) -> [String] {
    let remaining = bound - facts.examinedEntries
    guard remaining > 0, let open = try? FileSystem.open(directory, [.directory, .noFollow]),
      let names = try? open.entryNames(atMost: remaining + 1)
    else {
      if remaining > 0 { add(.unreadable, shown) } else { facts.isComplete = false }
      return []
    }
    if names.count > remaining { facts.isComplete = false }
    var directories: [String] = []
    for name in names.prefix(remaining) {
      guard let status = try? open.status(of: name) else { continue }
      note(status, Self.path(name, in: shown))
      if status.kind == .regular, SecretFile.isSecret(name, status, in: open) {
        add(.secret, Self.path(name, in: shown))
      }
      guard status.kind == .directory else { continue }
      let text = String(decoding: name, as: UTF8.self)
      // A name that is not valid UTF-8 cannot be used in a path string, so the contents of that directory are
      // unknown.
      if Array(text.utf8) == name { directories.append(text) } else { add(.unreadable, "\(shown)/\(text)") }
    }
    return directories
  }

  /// Returns the shown path of an entry.
  private static func path(_ name: [UInt8], in directory: String) -> String {
    "\(directory)/\(String(decoding: name, as: UTF8.self))"
  }

  /// Counts a file, and lists it if it has a remarkable property. The path is computed only then, because
  /// nearly all files have none.
  mutating func note(_ status: FileStatus, _ path: @autoclosure () -> String) {
    facts.examinedEntries += 1
    switch status.kind {
    case .socket: add(.socket, path())
    case .fifo: add(.fifo, path())
    case .characterDevice, .blockDevice: add(.device, path())
    case .regular where status.permissions & 0o6000 != 0: add(.setID, path())
    case .regular, .directory, .symbolicLink: break
    }
    // The mode bits of a symbolic link have no meaning.
    if status.kind != .symbolicLink, status.permissions & 0o002 != 0 { add(.writableByOthers, path()) }
  }

  /// Counts a remarkable file, and lists the first files of each kind.
  private mutating func add(_ kind: FileFinding.Kind, _ path: String) {
    facts.counts[kind, default: 0] += 1
    if facts.counts[kind, default: 0] <= FileFinding.maximumPerKind {
      facts.findings.append(FileFinding(kind, path))
    }
  }
}
