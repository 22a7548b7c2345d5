// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// Gives the entries of a content directory the names of a ``NamePlan``, and keeps a list of them until the record says so.
///
/// A line is written before the name changes, so that after a crash it is still known; one whose name did not change any
/// more fits no entry, because it has the number of the inode with it.
struct RenamedNames {
  /// What a line says.
  private struct Line {
    let inode: UInt64
    let path: String
    let from: String
  }

  /// How often a line waits for the disk before the name changes. An extension that gives bad names in each of a million
  /// directories must not make the host wait a million times; of the rest a power failure may take the old names, though
  /// nothing else.
  private static let mostWaits = 64
  /// The number of times that names are chosen for entries whose new names another process has taken meanwhile.
  private static let mostAttempts = 64

  private let path: String
  /// What this and earlier verifications of the session have renamed, by its path now.
  private var known: [String: Line]
  private var waits = 0

  /// The names of a session's content.
  init(_ places: SessionPlaces) throws(StoreError) {
    path = places.renamedFile
    known = try Self.lines(path)
  }

  /// The name that an entry had before it was renamed, now or by an earlier verification that was cut short; nil if it
  /// has its own.
  mutating func takeOldName(_ path: EntryPath, _ inode: UInt64) -> String? {
    guard !known.isEmpty, let line = known.removeValue(forKey: path.text), line.inode == inode else {
      return nil
    }
    return line.from
  }

  /// A name that changes.
  struct Change {
    /// The old one.
    let old: [UInt8]
    /// The new one.
    let new: [UInt8]
  }

  /// Renames entries of an open directory as planned, and returns the changes that were made; this user may not rename the
  /// others.
  mutating func rename(
    by plan: consuming NamePlan,
    in directory: TreeWalk.Directory
  ) throws(StoreError) -> [Change] {
    var pending = plan.changes
    var changes: [Change] = []
    // Nearly always once: only a process that races with the host takes a name meanwhile.
    for _ in 0..<Self.mostAttempts where !pending.isEmpty {
      let wanted = try choose(pending, by: &plan, in: directory)
      try append(wanted, directory.path)
      pending = []
      for (planned, change, _) in wanted {
        switch try change.make(in: directory.open) {
        case .made: changes.append(change)
        case .taken: pending.append(planned)
        case .impossible: break
        }
      }
    }
    return changes
  }

  /// A change of the plan with its new name and the inode of the entry.
  private typealias Choice = (planned: NamePlan.Change, change: Change, inode: UInt64)

  /// Chooses names, only for regular files with one link and for directories, because everything else is quarantined.
  private func choose(
    _ changes: [NamePlan.Change],
    by plan: inout NamePlan,
    in directory: TreeWalk.Directory
  ) throws(StoreError) -> [Choice] {
    var chosen: [Choice] = []
    for planned in changes {
      let name = planned.name
      let status = try system { () throws(SystemCallError) in try directory.open.descriptor.status(of: name) }
      guard let status, status.kind == .directory || status.kind == .regular && status.links == 1 else {
        continue
      }
      let new: [UInt8]?
      do { new = try plan.choose(planned) } catch { throw .digest(error) }
      if let new { chosen.append((planned, Change(old: name, new: new), status.inode)) }
    }
    return chosen
  }

  private mutating func append(_ choices: [Choice], _ parent: EntryPath) throws(StoreError) {
    guard !choices.isEmpty else { return }
    // The line break comes first: a line that a crash cut short then spoils no other.
    var bytes: [UInt8] = []
    for (_, change, inode) in choices {
      let line = Line(
        inode: inode,
        path: parent.appending(change.new).text,
        from: FileName.formerText(change.old)
      )
      known[line.path] = line
      let value: JSONValue = [
        "inode": .string(String(inode)), "path": .string(line.path), "from": .string(line.from),
      ]
      bytes += [UInt8(ascii: "\n")] + value.bytes(.compact)
    }
    waits += 1
    let isFirst = waits == 1
    let waiting = waits <= Self.mostWaits
    try system { () throws(SystemCallError) in
      let file = try FileSystem.open(path, [.write, .create, .append, .noFollow])
      try file.writeAll(bytes)
      if waiting { try file.synchronize() }
      if isFirst { try FileSystem.synchronizeDirectory(FileSystem.directoryName(path)) }
    }
  }

  /// The lines of the list that are whole, by path; the last one counts.
  private static func lines(_ path: String) throws(StoreError) -> [String: Line] {
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.contents(path, limit: JSONLimits.record.bytes) ?? []
    } catch  where error.errno == .noSuchFile {
      return [:]
    } catch { throw .system(error) }
    var lines: [String: Line] = [:]
    for text in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let value = try? JSONNode.parse(Array(text)).value,
        let inode = value["inode"]?.string.flatMap({ UInt64($0) }), let path = value["path"]?.string,
        let from = value["from"]?.string
      else { continue }
      lines[path] = Line(inode: inode, path: path, from: from)
    }
    return lines
  }
}

extension RenamedNames.Change {
  /// What came of a change.
  enum Outcome {
    /// It has the new name.
    case made
    /// Somebody else has the name.
    case taken
    /// This user may not, or the file system can't.
    case impossible
  }

  /// Renames, and replaces nothing.
  fileprivate func make(in directory: OpenDirectory) throws(StoreError) -> Outcome {
    do {
      try directory.descriptor.renameEntry(old, to: new, in: directory.descriptor)
      return .made
    } catch {
      switch error.errno {
      case .fileExists: return .taken
      case .noSuchFile, .permissionDenied, .notPermitted, .busy, .invalidArgument, .nameTooLong, .crossDevice,
        .invalidSequence:
        return .impossible
      default: throw .system(error)
      }
    }
  }
}
