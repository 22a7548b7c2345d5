// SPDX-License-Identifier: Apache-2.0

internal import ExtensionTemplates
internal import LinuxPrimitives
internal import PolicyWords

/// The directory of a new app: there whole or not at all, whenever this process ends.
struct NewProject {
  /// The directory's name.
  let name: String
  /// The directory in which it is made.
  let parent: String

  /// Where it is.
  var path: String { parent == "." ? name : parent == "/" ? "/\(name)" : "\(parent)/\(name)" }

  /// Where it is, whatever this process's directory is; as it was named where that is gone meanwhile.
  var absolutePath: String { (try? FileSystem.realPath(path)) ?? path }

  /// How the names of directories begin that are not finished.
  private var unfinished: String { ".\(name).new." }

  /// Writes the files below another name, and gives them their own with one rename.
  func write(_ files: [TemplateFile]) throws(CommandFailure) {
    try requireFree()
    let temporary = "\(parent)/\(unfinished)\(Randomness.hexadecimal(bytes: 6))"
    do { try FileSystem.makeDirectory(temporary, mode: 0o755) } catch { throw refused(error) }
    do { try finish(temporary, files) } catch {
      try? FileSystem.removeTree(temporary)
      throw failure(error)
    }
  }

  /// Fills the directory, holding it so that nobody takes it for a leftover, and gives it its name.
  private func finish(_ temporary: String, _ files: [TemplateFile]) throws(SystemCallError) {
    let hold = try DirectoryHold.attempt(temporary, for: .use)
    removeLeftovers()
    try fill(temporary, files)
    // It replaces an empty directory, and nothing else: rename(2).
    try FileSystem.rename(temporary, to: path, .replace)
    try FileSystem.synchronizeDirectory(parent)
    _ = consume hold
  }

  /// Writes all files, each of which is durable then.
  private func fill(_ directory: String, _ files: [TemplateFile]) throws(SystemCallError) {
    for file in files {
      let target = "\(directory)/\(file.path)"
      try FileSystem.makeDirectories(FileSystem.directoryName(target), mode: 0o755)
      try FileSystem.replaceContents(target, with: Array(file.text.utf8), mode: file.mode)
    }
  }

  /// Refuses early what the rename would refuse at the end.
  private func requireFree() throws(CommandFailure) {
    var kind: FileStatus.Kind?
    var isEmpty = false
    do {
      kind = try FileSystem.status(path)?.kind
      if kind == .directory { isEmpty = try FileSystem.names(in: path).isEmpty }
    } catch { throw failure(error) }
    if let kind, !isEmpty { throw taken(isDirectory: kind == .directory) }
  }

  /// Removes what earlier calls for this name have left that were killed; those that go on hold theirs.
  private func removeLeftovers() {
    for entry in (try? FileSystem.names(in: parent)) ?? [] {
      guard entry.hasPrefix(unfinished), entry.dropFirst(unfinished.count).allSatisfy(\.isHexDigit),
        let hold = try? DirectoryHold.attempt("\(parent)/\(entry)", for: .removal)
      else { continue }
      try? FileSystem.removeTree("\(parent)/\(entry)")
      _ = consume hold
    }
  }

  /// What is said when something has the name.
  private func taken(isDirectory: Bool) -> CommandFailure {
    let place = TextTable.printable(path)
    let reason = isDirectory ? "is a directory that is not empty" : "is there already and is no directory"
    return CommandFailure(
      .store,
      "\(place) \(reason), and nothing is overwritten; take another name, or another place with --directory DIR"
    )
  }

  /// What is said when the place is not one where something can be made.
  private func refused(_ error: SystemCallError) -> CommandFailure {
    let place = TextTable.printable(parent)
    return switch error.errno {
    case .noSuchFile:
      CommandFailure(
        .missing,
        "there is no directory \(place); make it, or name another with --directory DIR"
      )
    case .notADirectory:
      CommandFailure(.missing, "\(place) is not a directory; name one with --directory DIR")
    case .permissionDenied, .notPermitted, .readOnlyFileSystem:
      CommandFailure(
        .store,
        "nothing can be made in \(place): \(error); name a directory of your own with --directory DIR"
      )
    default: failure(error)
    }
  }

  /// What is said of what goes wrong later.
  private func failure(_ error: SystemCallError) -> CommandFailure {
    switch error.errno {
    case .notEmpty, .fileExists: taken(isDirectory: true)
    case .notADirectory: taken(isDirectory: false)
    default: CommandFailure(.store, "\(TextTable.printable(path)) cannot be made: \(error)")
    }
  }
}
