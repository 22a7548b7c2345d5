// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Where paths lead, with every name that was looked at on the way: looked at again, they tell whether the paths lead there
/// still.
///
/// What is kept of a name is its kind and, of a link, its text. That is all by which the true name of a path is found, so
/// nothing is assumed of inode numbers and times.
package struct PathLookups: Sendable {
  /// What a name is.
  package enum Kind: Sendable, Hashable {
    /// There is none.
    case missing
    /// A directory.
    case directory
    /// A symbolic link.
    case link
    /// Any other file.
    case file
  }

  /// Where a path leads.
  package struct Place: Sendable, Hashable {
    /// The absolute path without links, `.` and `..`.
    package let path: String
    /// What is there; never a link.
    package let kind: Kind
  }

  /// One name that was looked at.
  fileprivate struct Look: Sendable {
    /// Its path from the root, all but the last part without links.
    var path: String
    /// Where `path` begins in ``text``, with a zero at its end.
    var start: Int
    /// What it is.
    var kind: Kind
    /// Where it leads, if it is a link.
    var target: String
  }

  /// As many links as the kernel follows for one path (path_resolution(7)).
  private static let mostLinks = 40

  private var looks: [Look] = []
  /// The paths of ``looks`` as the kernel wants them.
  private var text: [CChar] = []
  /// Whether all that was looked at is here. It is not where the kernel refused to say what is there, or where a path was
  /// not absolute: what that means is not this value's to say.
  private(set) var isComplete = true

  /// Nothing looked at yet.
  package init() {}

  /// Every name that was looked at, in a directory whose path has no link in it, from the top downwards.
  var names: [(directory: String, name: String)] {
    looks.map { (FileSystem.directoryName($0.path), FileSystem.lastComponent($0.path)) }
  }

  /// What a path itself is: a last link is not followed.
  package mutating func kind(of path: String) throws(SystemCallError) -> Kind {
    guard path.hasPrefix("/"), path != "/" else { return try resolve(path).kind }
    let directory: Place
    do { directory = try resolve(FileSystem.directoryName(path)) } catch
      where error.errno == .noSuchFile || error.errno == .notADirectory
    {
      return .missing
    }
    let name = FileSystem.lastComponent(path)
    return looks[try look(directory.path == "/" ? "/\(name)" : "\(directory.path)/\(name)")].kind
  }

  /// Where a path leads, as realpath(3) has it.
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
      let next = looks[try look("\(place.path)/\(name)")]
      switch next.kind {
      case .missing: throw Self.failure(path, .noSuchFile)
      case .directory, .file: place = Place(path: next.path, kind: next.kind)
      case .link:
        links += 1
        guard links <= Self.mostLinks else { throw Self.failure(path, .tooManyLinks) }
        if next.target.hasPrefix("/") { place = Place(path: "", kind: .directory) }
        left += Self.names(next.target)
      }
    }
    return place.path.isEmpty ? Place(path: "/", kind: .directory) : place
  }

  /// Whether everything that was looked at would be found again. False as well if that cannot be told.
  package var isCurrent: Bool {
    isComplete
      && text.withUnsafeBufferPointer { text in
        guard let base = text.baseAddress else { return looks.isEmpty }
        return looks.allSatisfy { $0.isCurrent(at: base + $0.start) }
      }
  }

  /// Looks at a name, if it was not looked at before, and gives its place in ``looks``.
  private mutating func look(_ path: String) throws(SystemCallError) -> Int {
    if let known = looks.firstIndex(where: { $0.path.hasBytes(of: path) }) { return known }
    let kind: Kind
    let target: String
    do {
      kind = Kind(try FileSystem.status(path)?.kind)
      target = kind == .link ? try FileSystem.linkTarget(path) : ""
    } catch {
      isComplete = false
      throw error
    }
    looks.append(Look(path: path, start: text.count, kind: kind, target: target))
    text += path.utf8.map { CChar(bitPattern: $0) } + [0]
    return looks.count - 1
  }

  /// The names of a path, the first one last. A slash at the end asks for a directory, as `.` does.
  private static func names(_ path: String) -> [String] {
    var names = path.split(separator: "/").map(String.init)
    if path.hasSuffix("/") { names.append(".") }
    return names.reversed()
  }

  /// The directory that holds what a true name names; the root, which is the empty one, holds itself.
  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
  }

  private static func failure(_ path: String, _ errno: Errno) -> SystemCallError {
    SystemCallError("realpath", path: path, errno: errno)
  }
}

extension PathLookups.Kind {
  /// The kind of a file; nil: there is none.
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

extension PathLookups.Look {
  /// Whether the kernel still finds the same under this path.
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
  /// Whether a path is a symbolic link with this text (readlinkat(2)).
  fileprivate func isTarget(of path: UnsafePointer<CChar>) -> Bool {
    var text = self
    return text.withUTF8 { text in
      // One byte more than expected, so that a longer text is seen to be another.
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: text.count + 1) { found in
        guard let start = found.baseAddress, let expected = text.baseAddress else { return false }
        return readlinkat(AT_FDCWD, path, start, found.count) == text.count
          && memcmp(start, expected, text.count) == 0
      }
    }
  }
}
