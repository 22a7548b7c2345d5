// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The resolution of paths, with a record of every name that was looked up, so that a later change can be
/// detected.
///
/// The record has the type of each name and the target of each symbolic link. Both fully determine the
/// resolved path, so inode numbers and times are not needed.
package struct PathLookups: Sendable {
  /// The type of a name.
  package enum Kind: Sendable, Hashable {
    /// The name does not exist.
    case missing
    /// A directory.
    case directory
    /// A symbolic link.
    case link
    /// A file of another type.
    case file
  }

  /// A resolved path.
  package struct Place: Sendable, Hashable {
    /// The absolute path without links, `.` and `..`.
    package let path: String
    /// The type of the file at the path. It is never a symbolic link.
    package let kind: Kind
  }

  /// The recorded lookup of one name.
  fileprivate struct Lookup: Sendable {
    /// The path from the root. Only its last component can be a symbolic link.
    var path: String
    /// The offset of `path` in ``text``, where it ends with a zero.
    var start: Int
    /// The type of the name.
    var kind: Kind
    /// The target, if the name is a symbolic link.
    var target: String
  }

  /// The kernel's limit on symbolic links in a path (path_resolution(7)).
  private static let maximumLinks = 40

  private var entries: [Lookup] = []
  /// The paths of ``entries`` as zero-terminated strings.
  private var text: [CChar] = []
  /// Whether every lookup is recorded. Lookups that failed with another error than a missing file, and
  /// relative paths, are not recorded.
  private(set) var isComplete = true

  /// Creates an empty record.
  package init() {}

  /// Every name that was looked up, with its directory, whose path contains no symbolic link, in the order of
  /// the lookups.
  var names: [(directory: String, name: String)] {
    entries.map { (FileSystem.directoryName($0.path), FileSystem.lastComponent($0.path)) }
  }

  /// Returns the type of a path, not following a final symbolic link.
  package mutating func kind(of path: String) throws(SystemCallError) -> Kind {
    guard path.hasPrefix("/"), path != "/" else { return try resolve(path).kind }
    let directory: Place
    do { directory = try resolve(FileSystem.directoryName(path)) } catch
      where error.errno == .noSuchFile || error.errno == .notADirectory
    {
      return .missing
    }
    let name = FileSystem.lastComponent(path)
    return entries[try lookUp(directory.path == "/" ? "/\(name)" : "\(directory.path)/\(name)")].kind
  }

  /// Resolves a path as realpath(3) does.
  package mutating func resolve(_ path: String) throws(SystemCallError) -> Place {
    guard path.hasPrefix("/") else {
      isComplete = false
      return try resolve(try FileSystem.realPath(path))
    }
    var left = Self.names(path)
    var place = Place(path: "", kind: .directory)
    var links = 0
    while let name = left.popLast() {
      guard place.kind == .directory else { throw Self.failure(path, .notADirectory) }
      if name == "." { continue }
      if name == ".." {
        place = Place(path: Self.parent(of: place.path), kind: .directory)
        continue
      }
      let next = entries[try lookUp("\(place.path)/\(name)")]
      switch next.kind {
      case .missing: throw Self.failure(path, .noSuchFile)
      case .directory, .file: place = Place(path: next.path, kind: next.kind)
      case .link:
        links += 1
        guard links <= Self.maximumLinks else { throw Self.failure(path, .tooManyLinks) }
        if next.target.hasPrefix("/") { place = Place(path: "", kind: .directory) }
        left += Self.names(next.target)
      }
    }
    return place.path.isEmpty ? Place(path: "/", kind: .directory) : place
  }

  /// Whether every lookup would give the same result now. The value is `false` if this is unknown.
  package var isCurrent: Bool {
    isComplete
      && text.withUnsafeBufferPointer { text in
        guard let base = text.baseAddress else { return entries.isEmpty }
        return entries.allSatisfy { $0.isCurrent(at: base + $0.start) }
      }
  }

  /// Looks up a name unless it is recorded already, and returns its index in ``entries``.
  private mutating func lookUp(_ path: String) throws(SystemCallError) -> Int {
    if let known = entries.firstIndex(where: { $0.path.hasBytes(of: path) }) { return known }
    let kind: Kind
    let target: String
    do {
      kind = Kind(try FileSystem.status(path)?.kind)
      target = kind == .link ? try FileSystem.linkTarget(path) : ""
    } catch {
      isComplete = false
      throw error
    }
    entries.append(Lookup(path: path, start: text.count, kind: kind, target: target))
    text += path.utf8.map { CChar(bitPattern: $0) } + [0]
    return entries.count - 1
  }

  /// Returns the components of a path in reverse order. A trailing slash becomes `.`, because both require a
  /// directory.
  private static func names(_ path: String) -> [String] {
    var names = path.split(separator: "/").map(String.init)
    if path.hasSuffix("/") { names.append(".") }
    return names.reversed()
  }

  /// Returns the parent of a resolved path. The parent of the root, which is the empty string, is the root.
  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
  }

  private static func failure(_ path: String, _ errno: Errno) -> SystemCallError {
    SystemCallError("realpath", path: path, errno: errno)
  }
}

extension PathLookups.Kind {
  /// Creates a type from a file type, or from `nil` if the file does not exist.
  fileprivate init(_ kind: FileStatus.Kind?) {
    self =
      switch kind {
      case nil: .missing
      case .directory: .directory
      case .symbolicLink: .link
      default: .file
      }
  }
}

extension PathLookups.Lookup {
  /// Returns whether the kernel finds the same type or target at this path.
  fileprivate func isCurrent(at path: UnsafePointer<CChar>) -> Bool {
    if kind == .link { return target.isTarget(of: path) }
    var found = stat()
    guard fstatat(AT_FDCWD, path, &found, AT_SYMLINK_NOFOLLOW) == 0 else {
      return kind == .missing && [.noSuchFile, .notADirectory].contains(Errno.current)
    }
    return switch darkroom_file_type(found.st_mode) {
    case S_IFDIR: kind == .directory
    case S_IFLNK: false
    default: kind == .file
    }
  }
}

extension String {
  /// Returns whether a path is a symbolic link with this target (readlinkat(2)).
  fileprivate func isTarget(of path: UnsafePointer<CChar>) -> Bool {
    var text = self
    return text.withUTF8 { text in
      // One additional byte, so that a longer target is detected.
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: text.count + 1) { found in
        guard let start = found.baseAddress, let expected = text.baseAddress else { return false }
        return readlinkat(AT_FDCWD, path, start, found.count) == text.count
          && memcmp(start, expected, text.count) == 0
      }
    }
  }
}
