// SPDX-License-Identifier: Apache-2.0

internal import ExtensionTemplates
internal import LinuxPrimitives
internal import PolicyExplanation

/// The directory of a new app. It appears complete or not at all, even if this process is killed.
struct NewProject {
  /// The name of the directory.
  let name: String
  /// The parent directory.
  let parent: String

  /// The path of the directory.
  var path: String { parent == "." ? name : parent == "/" ? "/\(name)" : "\(parent)/\(name)" }

  /// The absolute path of the directory, or the relative path if it cannot be resolved.
  var absolutePath: String { (try? FileSystem.realPath(path)) ?? path }

  /// The name prefix of incomplete directories.
  private var temporaryPrefix: String { ".\(name).new." }

  /// Writes the files to a temporary directory, and moves the directory to its final path with one rename.
  func write(_ files: [TemplateFile]) throws(CommandFailure) {
    try requireUnusedPath()
    let temporary = "\(parent)/\(temporaryPrefix)\(Randomness.hexadecimal(bytes: 6))"
    do { try FileSystem.makeDirectory(temporary, mode: 0o755) } catch { throw refused(error) }
    do { try finish(temporary, files) } catch {
      try? FileSystem.removeTree(temporary)
      throw failure(error)
    }
  }

  /// Fills the temporary directory and renames it.
  ///
  /// A hold on the directory keeps other processes from removing it as a leftover.
  private func finish(_ temporary: String, _ files: [TemplateFile]) throws(SystemCallError) {
    let hold = try DirectoryLock.attempt(temporary, for: .use)
    removeLeftovers()
    try fill(temporary, files)
    // The target is replaced only if it is an empty directory; see rename(2).
    try FileSystem.rename(temporary, to: path, .replace)
    try FileSystem.synchronizeDirectory(parent)
    _ = consume hold
  }

  /// Writes all files durably.
  private func fill(_ directory: String, _ files: [TemplateFile]) throws(SystemCallError) {
    for file in files {
      let target = "\(directory)/\(file.path)"
      try FileSystem.makeDirectories(FileSystem.directoryName(target), mode: 0o755)
      try FileSystem.replaceContents(target, with: Array(file.text.utf8), mode: file.mode)
    }
  }

  /// Throws early if the final rename would fail.
  private func requireUnusedPath() throws(CommandFailure) {
    var kind: FileStatus.Kind?
    var isEmpty = false
    do {
      kind = try FileSystem.status(path)?.kind
      if kind == .directory { isEmpty = try FileSystem.names(in: path).isEmpty }
    } catch { throw failure(error) }
    if let kind, !isEmpty { throw alreadyExists(isDirectory: kind == .directory) }
  }

  /// Removes the temporary directories of earlier, killed processes. Running processes hold their
  /// directories.
  private func removeLeftovers() {
    for entry in (try? FileSystem.names(in: parent)) ?? [] {
      guard entry.hasPrefix(temporaryPrefix), entry.dropFirst(temporaryPrefix.count).allSatisfy(\.isHexDigit),
        let hold = try? DirectoryLock.attempt("\(parent)/\(entry)", for: .removal)
      else { continue }
      try? FileSystem.removeTree("\(parent)/\(entry)")
      _ = consume hold
    }
  }

  /// Returns the failure for a path that already exists.
  private func alreadyExists(isDirectory: Bool) -> CommandFailure {
    let place = TextTable.printable(path)
    let reason = isDirectory ? "is a directory that is not empty" : "is there already and is no directory"
    return CommandFailure(
      .store,
      "\(place) \(reason), and nothing is overwritten; take another name, or another place with --directory DIR"
    )
  }

  /// Returns the failure for a parent directory in which no directory can be created.
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

  /// Returns the failure for an error after the temporary directory was created.
  private func failure(_ error: SystemCallError) -> CommandFailure {
    switch error.errno {
    case .notEmpty, .fileExists: alreadyExists(isDirectory: true)
    case .notADirectory: alreadyExists(isDirectory: false)
    default: CommandFailure(.store, "\(TextTable.printable(path)) cannot be made: \(error)")
    }
  }
}
