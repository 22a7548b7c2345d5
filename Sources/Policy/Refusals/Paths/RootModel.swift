// SPDX-License-Identifier: Apache-2.0

/// What an extension wants of a file.
package enum FileUse: String, CaseIterable, Sendable, Hashable {
  /// To open or list it.
  case read
  /// To change it, or to make it.
  case write
  /// To run it.
  case execute
}

/// The files of a session as its root shows them and as Landlock allows them: two mechanisms, so two lists.
package struct RootModel: Sendable, Hashable {
  /// One thing in the root.
  package struct Item: Sendable, Hashable {
    /// Where the extension sees it.
    package var path: String
    /// What it is.
    package var kind: Kind
    /// What its mount keeps everybody from.
    package var denied: Set<FileUse>

    /// Describes a thing.
    package init(_ path: String, _ kind: Kind, denied: Set<FileUse> = []) {
      self.path = path
      self.kind = kind
      self.denied = denied
    }
  }

  /// What a thing in the root is.
  package enum Kind: Sendable, Hashable {
    /// A directory or file of the sandbox's own.
    case own
    /// A symbolic link of the sandbox's own.
    case link(to: String)
    /// A file or directory of the host.
    case host(path: String)
    /// A directory that the extension fills, and where it lies on the host, if it does.
    case space(SymbolicLinks, host: String? = nil)
    /// The processes of the session (proc(5)).
    case processes
  }

  /// What becomes of symbolic links that the extension makes.
  package enum SymbolicLinks: Sendable, Hashable {
    /// They lead where they point.
    case followed
    /// The kernel refuses to follow them.
    case refused
  }

  /// What Landlock allows beneath a path.
  package struct Rule: Sendable, Hashable {
    /// The path as the extension sees it.
    package var path: String
    /// What is allowed.
    package var uses: Set<FileUse>

    /// Describes a rule.
    package init(_ path: String, _ uses: Set<FileUse>) {
      self.path = path
      self.uses = uses
    }
  }

  /// The things in the root; of two at the same place the later one is seen.
  package var items: [Item]
  /// What Landlock allows; nil where the kernel has no Landlock.
  package var rules: [Rule]?

  /// Describes a root.
  package init(items: [Item], rules: [Rule]?) {
    self.items = items
    self.rules = rules
  }

  /// The thing at a place, if there is one.
  func item(at path: String) -> Item? { items.last { $0.path == path } }

  /// The innermost thing that is at a place or holds it.
  func holder(of path: String) -> Item? {
    items.enumerated().filter { Self.holds($1.path, path) }
      .max { ($0.element.path.utf8.count, $0.offset) < ($1.element.path.utf8.count, $1.offset) }?
      .element
  }

  /// Whether there is something at the place or below it: then it is a directory.
  func leads(to path: String) -> Bool { path == "/" || items.contains { Self.holds(path, $0.path) } }

  /// What Landlock allows at a place: the rules of everything that holds it add up.
  func allowed(at path: String) -> Set<FileUse> {
    guard let rules else { return Set(FileUse.allCases) }
    return rules.filter { Self.holds($0.path, path) }.reduce(into: []) { $0.formUnion($1.uses) }
  }

  /// Whether a path is at a place or below it.
  package static func holds(_ place: String, _ path: String) -> Bool {
    path == place || path.hasPrefix(place == "/" ? "/" : place + "/")
  }
}

/// What the host has at a path, looked at without following a link.
package enum HostFile: Sendable, Hashable {
  /// Nothing.
  case absent
  /// A file that is no program.
  case file
  /// A file that can be run.
  case program
  /// A directory.
  case directory
  /// A symbolic link.
  case link(to: String)
  /// A device, a pipe or a socket.
  case special
}
