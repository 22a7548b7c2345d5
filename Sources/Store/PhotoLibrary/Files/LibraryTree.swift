// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The directories of the library, by descriptors. Files in them are opened without following symbolic links
/// or crossing mount points.
final class LibraryTree {
  private let root: Descriptor
  private let incoming: Descriptor
  private let place: LibraryLocation

  /// Opens the directories, which must exist.
  init(_ place: LibraryLocation) throws(PhotoLibraryError) {
    self.place = place
    root = try Self.open(place.path, place)
    incoming = try Self.open(place.incomingDirectory, place)
  }

  private static func open(_ path: String, _ place: LibraryLocation) throws(PhotoLibraryError) -> Descriptor {
    try librarySystem(place.path) { () throws(SystemCallError) in
      try FileSystem.open(path, [.directory, .noFollow])
    }
  }

  /// Creates a file for the data of an asset.
  func makeIncoming(_ id: String) throws(PhotoLibraryError) -> Descriptor {
    let raw = incoming.rawValue
    return try librarySystem(place.path) { () throws(SystemCallError) in
      try FileSystem.open(id, in: .directory(raw), [.readWrite, .create, .exclusive, .noFollow], mode: 0o600)
    }
  }

  /// Makes the data and name of an incoming file durable, and returns its status.
  func secureIncoming(_ file: borrowing Descriptor) throws(PhotoLibraryError) -> FileStatus {
    let status = try secure(file)
    try secure(incoming)
    return status
  }

  @discardableResult
  private func secure(_ file: borrowing Descriptor) throws(PhotoLibraryError) -> FileStatus {
    do {
      try file.synchronize()
      return try file.status()
    } catch  where error.errno.isOutOfSpace {
      throw .noSpace(path: place.path)
    } catch { throw .system(error) }
  }

  /// Removes a name. A missing name is not an error.
  private static func unlinkIfThere(_ name: String, in raw: Int32) throws(SystemCallError) {
    do { try FileSystem.unlink(name, in: .directory(raw)) } catch  where error.errno == .noSuchFile {
      return
    }
  }

  /// Returns whether the file of an asset is in the incoming directory.
  func hasIncoming(_ id: String) throws(PhotoLibraryError) -> Bool {
    let raw = incoming.rawValue
    return try librarySystem(place.path) { () throws(SystemCallError) in
      try FileSystem.status(id, in: .directory(raw)) != nil
    }
  }

  /// Removes an incoming file. A missing file is not an error.
  func removeIncoming(_ id: String) throws(PhotoLibraryError) {
    let raw = incoming.rawValue
    try librarySystem(place.path) { () throws(SystemCallError) in
      try Self.unlinkIfThere(id, in: raw)
    }
  }

  /// Makes the move of a file to its final path durable.
  func secureMoved(at path: String) throws(PhotoLibraryError) {
    try secure(open(FileSystem.directoryName(path), [.directory]))
    try secure(incoming)
  }

  /// Moves an incoming file to its final path, durably. Returns `false` if another file has that path.
  func moveIntoPlace(_ id: String, at path: String) throws(PhotoLibraryError) -> Bool {
    let parts = path.split(separator: "/").map(String.init)
    let name = parts.last ?? ""
    let month = try directory(Array(parts.dropLast()))
    let (raw, incomingRaw) = (month.rawValue, incoming.rawValue)
    do {
      // Other programs store pictures there, too.
      try FileSystem.rename(
        id,
        in: .directory(incomingRaw),
        to: name,
        in: .directory(raw),
        .noReplaceContended
      )
    } catch  where error.errno == .fileExists {
      // On btrfs, a power failure between the two fsync calls below can leave a file with both names. So can
      // a crash if the kernel refuses renames that do not replace.
      guard let file = try status(of: path), try isIncoming(id, file) else { return false }
      try removeIncoming(id)
    } catch { throw .system(error) }
    // Synchronize the new name first: if only one change is durable, the file must still have a name.
    try secure(month)
    try secure(incoming)
    return true
  }

  /// Returns whether a file is the incoming file of an asset.
  private func isIncoming(_ id: String, _ file: FileStatus) throws(PhotoLibraryError) -> Bool {
    let raw = incoming.rawValue
    let found = try librarySystem(place.path) { () throws(SystemCallError) in
      try FileSystem.status(id, in: .directory(raw))
    }
    return found?.inode == file.inode
  }

  /// Opens a directory below the root, creating missing directories.
  private func directory(_ parts: [String]) throws(PhotoLibraryError) -> Descriptor {
    var made = ""
    for part in parts {
      let parent = made.isEmpty ? "." : made
      made = made.isEmpty ? part : "\(made)/\(part)"
      try make(made, in: parent)
    }
    return try open(made, [.directory])
  }

  private func make(_ path: String, in parent: String) throws(PhotoLibraryError) {
    let raw = root.rawValue
    do {
      try FileSystem.makeDirectory(path, in: .directory(raw))
    } catch  where error.errno == .fileExists {
      return
    } catch  where error.errno.isOutOfSpace {
      throw .noSpace(path: place.path)
    } catch { throw .system(error) }
    try secure(open(parent, [.directory]))
  }

  /// Opens a file below the root.
  private func open(_ path: String, _ flags: OpenFlags) throws(PhotoLibraryError) -> Descriptor {
    do { return try FileSystem.openBeneath(root, path, flags) } catch { throw .system(error) }
  }

  /// Returns the status of the file at a path, or `nil` if there is none or a symbolic link leads to it.
  ///
  /// Other failures are thrown: a file that cannot be examined must not be taken for removed.
  func status(of path: String) throws(PhotoLibraryError) -> FileStatus? {
    do {
      return try FileSystem.openBeneath(root, path, [.path, .noFollow]).status()
    } catch  where Self.isElsewhere(error.errno) {
      return nil
    } catch { throw .system(error) }
  }

  /// Returns whether an error means that no file of the library is at a path.
  private static func isElsewhere(_ errno: Errno) -> Bool {
    [.noSuchFile, .notADirectory, .tooManyLinks, .crossDevice].contains(errno)
  }

  /// Opens the file of an asset for reading, or returns `nil` if there is no regular file.
  func openFile(_ path: String) throws(PhotoLibraryError) -> Descriptor? {
    guard try status(of: path)?.kind == .regular else { return nil }
    do {
      let file = try FileSystem.openBeneath(root, path, [.noFollow, .nonBlocking])
      // The path may have been replaced between the two calls.
      guard try file.status().kind == .regular else { return nil }
      return file
    } catch  where Self.isElsewhere(error.errno) {
      return nil
    } catch { throw .system(error) }
  }

  /// Removes the file of an asset, durably. A missing file is not an error.
  func remove(_ path: String) throws(PhotoLibraryError) {
    let parts = path.split(separator: "/").map(String.init)
    let parent = parts.dropLast().joined(separator: "/")
    let name = parts.last ?? ""
    let directory: Descriptor
    do {
      directory = try FileSystem.openBeneath(root, parent, [.directory])
    } catch  where error.errno == .noSuchFile || error.errno == .tooManyLinks || error.errno == .crossDevice {
      return
    } catch { throw .system(error) }
    let raw = directory.rawValue
    try librarySystem(place.path) { () throws(SystemCallError) in
      try Self.unlinkIfThere(name, in: raw)
    }
    try secure(directory)
  }

  /// Returns the names in the incoming directory.
  func incomingNames() throws(PhotoLibraryError) -> [String] {
    do { return try incoming.entries().sorted() } catch { throw .system(error) }
  }
}
