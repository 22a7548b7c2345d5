// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Where a photo library is.
///
/// The index lies beside the files, in a hidden directory, and not in the state root: so both are on one file system,
/// between whose places an asset is moved by renaming; both are backed up and carried elsewhere together; and one
/// library serves all state roots of a person.
package struct LibraryPlace: Hashable, Sendable {
  /// The absolute path of the library's directory, below which are years and months.
  package let path: String

  /// Takes a path as it is; ``resolve(option:environment:)`` is the way in for people.
  package init(path: String) { self.path = path }

  /// The directory of everything that is no picture.
  var hiddenDirectory: String { "\(path)/.darkroom" }
  /// The index.
  package var indexFile: String { "\(hiddenDirectory)/index.sqlite" }
  /// The file whose lock is held while the index is set up and while others' work is finished.
  var settlingFile: String { "\(hiddenDirectory)/settling.lock" }
  /// The directory of files that are not yet in their places, each with the name of its asset.
  var incomingDirectory: String { "\(hiddenDirectory)/incoming" }
  /// The directory of the locks by which those who use the library show that they live.
  var ownersDirectory: String { "\(hiddenDirectory)/owners" }
  /// The directory in which something happens whenever the library has changed.
  var signalDirectory: String { "\(hiddenDirectory)/changes" }
  /// What happens there: this file comes and goes.
  var signalFile: String { "\(signalDirectory)/changed" }

  /// Makes durable what the index says now.
  ///
  /// It says what somebody has committed who was killed before the fsync of it. SQLite itself makes that durable only with
  /// the next commit: it looks at a checksum, and cannot know. The log is the one file of a database that its locks do not
  /// lie on, so it may be opened and closed beside SQLite.
  func secureIndex() throws(PhotoLibraryError) {
    try librarySystem(path) { () throws(SystemCallError) in
      do throws(SystemCallError) { try FileSystem.open("\(indexFile)-wal", .read).synchronize() } catch {
        // Whoever has closed the database as the last has written everything into it, durably, and removed the log.
        guard error.errno == .noSuchFile else { throw error }
      }
      try FileSystem.synchronizeDirectory(hiddenDirectory)
    }
  }

  /// The library of a person: the option, else `DARKROOM_LIBRARY`, else `Darkroom` in the directory of pictures, which
  /// is `XDG_PICTURES_DIR` of `user-dirs.dirs`, else `~/Pictures`. An empty variable counts as none.
  package static func resolve(
    option: String?,
    environment: (String) -> String?
  ) throws(PhotoLibraryError) -> LibraryPlace {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let chosen = option ?? variable("DARKROOM_LIBRARY") {
      return LibraryPlace(path: try absolute(chosen))
    }
    guard let home = variable("HOME"), home.hasPrefix("/") else { throw .noPlace }
    let configuration = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let file = "\(configuration ?? "\(home)/.config")/user-dirs.dirs"
    // Most machines without a desktop have none, and a person who breaks it has pictures all the same.
    let text = (try? FileSystem.contents(file, limit: 1 << 16)).flatMap { $0 }
    let pictures =
      text.flatMap { UserDirectories.pictures(String(decoding: $0, as: UTF8.self), home: home) }
      ?? "\(home)/Pictures"
    return LibraryPlace(path: try absolute("\(pictures)/Darkroom"))
  }

  private static func absolute(_ path: String) throws(PhotoLibraryError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .noPlace }
    var full = path
    if !path.hasPrefix("/") {
      do { full = "\(try CurrentProcess.workingDirectory())/\(path)" } catch { throw .system(error) }
    }
    return "/" + full.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// Whether there is a library already.
  package var isThere: Bool { (try? FileSystem.status(indexFile)).flatMap { $0 } != nil }

  /// Makes the directories that are missing, or sees that those that are there are private.
  func prepare() throws(PhotoLibraryError) {
    let parent = FileSystem.directoryName(path)
    try librarySystem(parent) { () throws(SystemCallError) in
      // As programs make directories for pictures; only the library's own are private.
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
      // Not through a link: somebody else could lead it elsewhere after this look.
      status = try FileSystem.open(path, [.directory, .noFollow]).status()
    } catch  where error.errno == .notADirectory || error.errno == .tooManyLinks {
      throw .notPrivate(path: path, .notADirectory)
    } catch  where error.errno.isFull {
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

/// The file `user-dirs.dirs`, in which a desktop notes where a person's directories are.
enum UserDirectories {
  /// The directory of pictures; nil if the text names none, or the home directory itself, which means none.
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

  /// The specification allows `$HOME/…` and absolute paths, and nothing else.
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
