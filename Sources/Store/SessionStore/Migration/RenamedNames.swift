// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// Renames entries of a content directory according to a ``NamePlan``, and logs the former names until the
/// record contains them.
///
/// A line is written before the rename, so that the former name survives a crash. Each line contains the
/// inode number, so that a line without a completed rename matches no entry.
struct RenamedNames {
  /// A line of the log.
  private struct Line {
    let inode: UInt64
    let path: String
    let from: String
  }

  /// The maximum number of synchronized log writes.
  ///
  /// An extension with invalid names in a million directories must not cause a million fsyncs. Beyond the
  /// maximum, a power failure can lose former names, but no content.
  private static let maximumSynchronizations = 64
  /// The maximum number of attempts to choose names, in case other processes take the chosen names.
  private static let maximumAttempts = 64

  private let file: AppendedLines
  /// The renames of this and earlier verifications of the session, by current path.
  private var known: [String: Line]
  private var synchronizations = 0

  /// Opens the log of a session's renames.
  init(_ places: SessionPaths) throws(StoreError) {
    file = AppendedLines(path: places.renamedFile)
    known = try Self.lines(file)
  }

  /// Returns the former name of an entry that this or an interrupted verification renamed, or `nil` if it was
  /// not renamed.
  mutating func takeOldName(_ path: EntryPath, _ inode: UInt64) -> String? {
    guard !known.isEmpty, let line = known.removeValue(forKey: path.text), line.inode == inode else {
      return nil
    }
    return line.from
  }

  /// A change of a name.
  struct Change {
    /// The former name.
    let old: [UInt8]
    /// The new name.
    let new: [UInt8]
  }

  /// Renames entries of an open directory as planned.
  ///
  /// - Returns: The completed changes. The other renames were not permitted.
  mutating func rename(
    by plan: consuming NamePlan,
    in directory: TreeWalk.Directory
  ) throws(StoreError) -> [Change] {
    var pending = plan.changes
    var changes: [Change] = []
    // A second attempt is needed only if another process takes a chosen name.
    for _ in 0..<Self.maximumAttempts where !pending.isEmpty {
      let wanted = try choose(pending, by: &plan, in: directory)
      try append(wanted, directory.path)
      pending = []
      for (planned, change, _) in wanted {
        switch try change.apply(in: directory.open) {
        case .applied: changes.append(change)
        case .nameInUse: pending.append(planned)
        case .impossible: break
        }
      }
    }
    return changes
  }

  /// A planned change with its new name and the inode number of the entry.
  private typealias Choice = (planned: NamePlan.Change, change: Change, inode: UInt64)

  /// Chooses new names for directories and for regular files with one link. Entries of other types are
  /// quarantined.
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
    var lines: [JSONValue] = []
    for (_, change, inode) in choices {
      let line = Line(
        inode: inode,
        path: parent.appending(change.new).text,
        from: FileName.formerText(change.old)
      )
      known[line.path] = line
      lines.append([
        "inode": .string(String(inode)), "path": .string(line.path), "from": .string(line.from),
      ])
    }
    synchronizations += 1
    let isFirst = synchronizations == 1
    let isSynchronized = synchronizations <= Self.maximumSynchronizations
    try system { () throws(SystemCallError) in
      try file.append(lines, isSynchronized: isSynchronized)
      if isFirst { try FileSystem.synchronizeDirectory(FileSystem.directoryName(file.path)) }
    }
  }

  /// Returns the complete lines of the log by path. The last line of a path counts.
  private static func lines(_ file: AppendedLines) throws(StoreError) -> [String: Line] {
    var lines: [String: Line] = [:]
    for value in try system({ () throws(SystemCallError) in try file.values() }) {
      guard let inode = value["inode"]?.string.flatMap({ UInt64($0) }), let path = value["path"]?.string,
        let from = value["from"]?.string
      else { continue }
      lines[path] = Line(inode: inode, path: path, from: from)
    }
    return lines
  }
}

extension RenamedNames.Change {
  /// The result of a change.
  enum Outcome {
    /// The entry was renamed.
    case applied
    /// Another entry has the new name.
    case nameInUse
    /// The rename is not permitted, or not supported by the file system.
    case impossible
  }

  /// Renames the entry without replacing another.
  fileprivate func apply(in directory: OpenDirectory) throws(StoreError) -> Outcome {
    do {
      try directory.descriptor.renameEntry(old, to: new, in: directory.descriptor)
      return .applied
    } catch {
      switch error.errno {
      case .fileExists: return .nameInUse
      case .noSuchFile, .permissionDenied, .notPermitted, .busy, .invalidArgument, .nameTooLong, .crossDevice,
        .invalidSequence:
        return .impossible
      default: throw .system(error)
      }
    }
  }
}
