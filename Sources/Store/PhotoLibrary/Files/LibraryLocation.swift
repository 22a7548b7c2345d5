// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The location of a photo library.
///
/// The index is in a hidden directory of the library, not in the state root. Index and files are therefore on
/// the same file system, within which an asset is moved by renaming. Both are backed up and moved together,
/// and all state roots of a user share one library.
package struct LibraryLocation: Hashable, Sendable {
  /// The absolute path of the library, which contains directories by year and month.
  package let path: String

  /// Creates a location from a path; ``resolve(option:environment:)`` interprets user input.
  package init(path: String) { self.path = path }

  /// The directory of all files that are not assets.
  var hiddenDirectory: String { "\(path)/.darkroom" }
  /// The path of the index.
  package var indexFile: String { "\(hiddenDirectory)/index.sqlite" }
  /// The lock file that is locked during the setup of the index and during recovery.
  var recoveryLockFile: String { "\(hiddenDirectory)/settling.lock" }
  /// The directory of incoming files, which are named by asset ID.
  var incomingDirectory: String { "\(hiddenDirectory)/incoming" }
  /// The directory of the lock files that show which users of the library are alive.
  var ownersDirectory: String { "\(hiddenDirectory)/owners" }
  /// The directory in which a file is created whenever the library has changed.
  var signalDirectory: String { "\(hiddenDirectory)/changes" }
  /// The file that is created and removed in the signal directory.
  var signalFile: String { "\(signalDirectory)/changed" }

  /// Makes the current contents of the index durable.
  ///
  /// A process may have been killed after a commit and before the fsync. SQLite itself makes this commit
  /// durable only with the next one: it verifies a checksum and cannot detect a missing fsync. The log is the
  /// only file of a database without SQLite's locks, so it may be opened and closed separately.
  func secureIndex() throws(PhotoLibraryError) {
    try librarySystem(path) { () throws(SystemCallError) in
      do throws(SystemCallError) { try FileSystem.open("\(indexFile)-wal", .read).synchronize() } catch {
        // The last process that closes the database writes everything into it, durably, and removes the log.
        guard error.errno == .noSuchFile else { throw error }
      }
      try FileSystem.synchronizeDirectory(hiddenDirectory)
    }
  }

  /// Returns the library of the user: the option, `DARKROOM_LIBRARY`, or `Darkroom` in the user's pictures
  /// directory.
  ///
  /// The pictures directory is `XDG_PICTURES_DIR` of `user-dirs.dirs`, or `~/Pictures`. Empty variables are
  /// ignored.
  package static func resolve(
    option: String?,
    environment: (String) -> String?
  ) throws(PhotoLibraryError) -> LibraryLocation {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let chosen = option ?? variable("DARKROOM_LIBRARY") {
      return LibraryLocation(path: try absolute(chosen))
    }
    guard let home = variable("HOME"), home.hasPrefix("/") else { throw .noLocation }
    let configuration = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let file = "\(configuration ?? "\(home)/.config")/user-dirs.dirs"
    // Most machines without a desktop lack the file, and an invalid file is ignored.
    let text = (try? FileSystem.contents(file, limit: 1 << 16)).flatMap { $0 }
    let pictures =
      text.flatMap { UserDirectories.pictures(String(decoding: $0, as: UTF8.self), home: home) }
      ?? "\(home)/Pictures"
    return LibraryLocation(path: try absolute("\(pictures)/Darkroom"))
  }

  private static func absolute(_ path: String) throws(PhotoLibraryError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .noLocation }
    var full = path
    if !path.hasPrefix("/") {
      do { full = "\(try CurrentProcess.workingDirectory())/\(path)" } catch { throw .system(error) }
    }
    return "/" + full.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// Whether the library exists.
  package var exists: Bool { (try? FileSystem.status(indexFile)).flatMap { $0 } != nil }

  /// Creates missing directories and checks that existing directories are private.
  func prepare() throws(PhotoLibraryError) {
    let parent = FileSystem.directoryName(path)
    try librarySystem(parent) { () throws(SystemCallError) in
      // The common mode of pictures directories. Only the library's own directories are private.
      try FileSystem.makeDirectories(parent, mode: 0o755)
    }
    for directory in [path, hiddenDirectory, incomingDirectory, ownersDirectory, signalDirectory] {
      try Self.prepare(directory)
    }
  }

  private static func prepare(_ path: String) throws(PhotoLibraryError) {
    let status: FileStatus
    do {
      try FileSystem.prepareDirectory(path)
      // A link is not followed, because another user could change its target after this check.
      status = try FileSystem.open(path, [.directory, .noFollow]).status()
    } catch  where error.errno == .notADirectory || error.errno == .tooManyLinks {
      throw .notPrivate(path: path, .notADirectory)
    } catch  where error.errno.isOutOfSpace {
      throw .noSpace(path: path)
    } catch { throw .system(error) }
    guard status.owner == CurrentProcess.effectiveUserID else {
      throw .notPrivate(path: path, .foreignOwner(status.owner))
    }
    guard status.permissions & 0o022 == 0 else {
      throw .notPrivate(path: path, .writableByOthers(status.permissions))
    }
  }
}

/// The file `user-dirs.dirs`, in which a desktop stores the paths of the user's directories.
enum UserDirectories {
  /// Returns the pictures directory, or `nil` if the text names none or names the home directory, which means
  /// none.
  static func pictures(_ text: String, home: String) -> String? {
    for line in text.split(whereSeparator: \.isNewline).reversed() {
      let line = line.drop { $0 == " " || $0 == "\t" }
      let prefix = "XDG_PICTURES_DIR=\""
      guard line.hasPrefix(prefix), let end = line.lastIndex(of: "\"") else { continue }
      let start = line.index(line.startIndex, offsetBy: prefix.count)
      guard start <= end else { continue }
      return path(unescaped(line[start..<end]), home)
    }
    return nil
  }

  /// Returns the path of a value. The specification permits only `$HOME/…` and absolute paths.
  private static func path(_ value: String, _ home: String) -> String? {
    let base = value == "$HOME" || value.hasPrefix("$HOME/") ? home + value.dropFirst(5) : value
    let parts = base.split(separator: "/")
    guard base.hasPrefix("/"), parts != home.split(separator: "/") else { return nil }
    return "/" + parts.joined(separator: "/")
  }

  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if character == "\\" && !isEscaped {
        isEscaped = true
      } else {
        result.append(character)
        isEscaped = false
      }
    }
    return result
  }
}
