// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The directory of a new app. It appears complete or not at all, even if this process is killed.
package struct NewProject {
  /// The name of the directory.
  package let name: String
  /// The parent directory.
  package let parent: String

  /// Creates the description of a new directory. Nothing is written.
  package init(name: String, parent: String) { (self.name, self.parent) = (name, parent) }

  /// The path of the directory.
  package var path: String { parent == "." ? name : parent == "/" ? "/\(name)" : "\(parent)/\(name)" }

  /// The absolute path of the directory, or the relative path if it cannot be resolved.
  package var absolutePath: String { (try? FileSystem.realPath(path)) ?? path }

  /// The name prefix of incomplete directories.
  private var temporaryPrefix: String { ".\(name).new." }

  /// Writes the files to a temporary directory, and moves the directory to its final path with one rename.
  package func write(_ files: [TemplateFile]) throws(NewProjectError) {
    try requireUnusedPath()
    let temporary = "\(parent)/\(temporaryPrefix)\(Randomness.hexadecimal(bytes: 6))"
    do { try FileSystem.makeDirectory(temporary, mode: 0o755) } catch {
      switch error.errno {
      case .noSuchFile, .notADirectory, .permissionDenied, .notPermitted, .readOnlyFileSystem:
        throw .parent(parent, error)
      default: throw failure(error)
      }
    }
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
  private func requireUnusedPath() throws(NewProjectError) {
    var kind: FileStatus.Kind?
    var isEmpty = false
    do {
      kind = try FileSystem.status(path)?.kind
      if kind == .directory { isEmpty = try FileSystem.names(in: path).isEmpty }
    } catch { throw failure(error) }
    if let kind, !isEmpty { throw .exists(path, isDirectory: kind == .directory) }
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

  /// Returns the error for an error after the temporary directory was created.
  private func failure(_ error: SystemCallError) -> NewProjectError {
    switch error.errno {
    case .notEmpty, .fileExists: .exists(path, isDirectory: true)
    case .notADirectory: .exists(path, isDirectory: false)
    default: .notCreated(path, error)
    }
  }
}

/// An error while the directory of a new app was created. Nothing was created.
package enum NewProjectError: Error, CustomStringConvertible {
  /// The path exists, and is not an empty directory.
  case exists(String, isDirectory: Bool)
  /// The parent directory cannot be used.
  case parent(String, SystemCallError)
  /// The directory cannot be created.
  case notCreated(String, SystemCallError)

  /// The error message.
  package var description: String {
    switch self {
    case .exists(let path, let isDirectory):
      "\(path): \(isDirectory ? Errno.notEmpty : .fileExists); choose another name, or another parent directory with "
        + "--directory DIR"
    case .parent(let path, let error):
      switch error.errno {
      case .noSuchFile:
        "\(path): \(error.errno); create the directory, or choose another with --directory DIR"
      case .notADirectory: "\(path): \(error.errno); choose a directory with --directory DIR"
      default:
        "no directory can be created in \(path): \(error); choose a writable directory with --directory DIR"
      }
    case .notCreated(let path, let error): "\(path) cannot be created: \(error)"
    }
  }
}
