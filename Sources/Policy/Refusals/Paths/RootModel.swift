// SPDX-License-Identifier: Apache-2.0

/// An access of an extension to a file.
package enum FileAccess: String, CaseIterable, Sendable, Hashable {
  /// Opening a file for reading, or listing a directory.
  case read
  /// Changing or creating a file.
  case write
  /// Executing a file.
  case execute
}

/// The files of a session, as the root shows them and as Landlock allows them. Each mechanism has its own
/// list.
package struct RootModel: Sendable, Hashable {
  /// An item in the root.
  package struct Item: Sendable, Hashable {
    /// The path in the session.
    package var path: String
    /// The kind of item.
    package var kind: Kind
    /// The accesses that the mount options deny.
    package var denied: Set<FileAccess>

    /// Creates an item.
    package init(_ path: String, _ kind: Kind, denied: Set<FileAccess> = []) {
      self.path = path
      self.kind = kind
      self.denied = denied
    }
  }

  /// A kind of item in the root.
  package enum Kind: Sendable, Hashable {
    /// A directory or file that the sandbox provides.
    case builtIn
    /// A symbolic link that the sandbox provides.
    case link(to: String)
    /// A file or directory of the host.
    case host(path: String)
    /// A directory that the extension can write, with its path on the host, if any.
    case writableDirectory(SymbolicLinkPolicy, host: String? = nil)
    /// The processes of the session (proc(5)).
    case proc
  }

  /// The treatment of symbolic links that the extension creates.
  package enum SymbolicLinkPolicy: Sendable, Hashable {
    /// The kernel follows the links.
    case followed
    /// The kernel refuses to follow the links.
    case refused
  }

  /// A Landlock rule for the files beneath a path.
  package struct Rule: Sendable, Hashable {
    /// The path in the session.
    package var path: String
    /// The allowed accesses.
    package var uses: Set<FileAccess>

    /// Creates a rule.
    package init(_ path: String, _ uses: Set<FileAccess>) {
      self.path = path
      self.uses = uses
    }
  }

  /// The items of the root. A later item hides earlier items at the same path.
  package var items: [Item]
  /// The Landlock rules, or `nil` if the kernel does not support Landlock.
  package var rules: [Rule]?

  /// Creates a model of a root.
  package init(items: [Item], rules: [Rule]?) {
    self.items = items
    self.rules = rules
  }

  /// Returns the visible item at a path, or `nil` if there is none.
  func item(at path: String) -> Item? { items.last { $0.path == path } }

  /// Returns the innermost item that contains a path.
  func enclosingItem(of path: String) -> Item? {
    items.enumerated().filter { Self.covers($1.path, path) }
      .max { ($0.element.path.utf8.count, $0.offset) < ($1.element.path.utf8.count, $1.offset) }?
      .element
  }

  /// Returns whether an item is at or below a path, which makes the path a directory.
  func leads(to path: String) -> Bool { path == "/" || items.contains { Self.covers(path, $0.path) } }

  /// Returns the accesses that Landlock allows at a path: the union of all rules that contain the path.
  func allowed(at path: String) -> Set<FileAccess> {
    guard let rules else { return Set(FileAccess.allCases) }
    return rules.filter { Self.covers($0.path, path) }.reduce(into: []) { $0.formUnion($1.uses) }
  }

  /// Returns whether a path is at or below another path.
  package static func covers(_ directory: String, _ path: String) -> Bool {
    path == directory || path.hasPrefix(directory == "/" ? "/" : directory + "/")
  }
}

/// A file of the host, without following symbolic links.
package enum HostFile: Sendable, Hashable {
  /// The file does not exist.
  case absent
  /// A regular file that is not executable.
  case file
  /// An executable file.
  case program
  /// A directory.
  case directory
  /// A symbolic link.
  case link(to: String)
  /// A device, a FIFO or a socket.
  case special
}
