// SPDX-License-Identifier: Apache-2.0

/// A resolver for paths in a session's root, which follows the rules of the kernel.
package struct PathWalk {
  /// The result of resolving a path.
  package enum End: Sendable, Hashable {
    /// The path exists. The values are the path without symbolic links, the item of the root that contains
    /// it, and the file if it is known.
    case found(String, RootModel.Item?, HostFile?)
    /// The path does not exist. The values are the missing path, and the item of the root that contains the
    /// path, or `nil` if no item does.
    case absent(String, RootModel.Item?)
    /// The kernel does not follow the symbolic link at this path.
    case linkRefused(String)
    /// The path contains too many symbolic links.
    case tooManyLinks
  }

  /// A symbolic link that was followed.
  package struct Link: Sendable, Hashable {
    /// The path of the link, without symbolic links in its directory.
    package var path: String
    /// The target of the link, as stored in the link.
    package var target: String
  }

  /// The result of a path resolution.
  package struct Result: Sendable, Hashable {
    /// The result.
    package var end: End
    /// The last symbolic link that was followed, or `nil` if there was none.
    package var lastLink: Link?
    /// The path that does not exist, after following symbolic links, or `nil` if the path was not resolved as
    /// absent. Components after the first missing one are included as written.
    package var missingPath: String?
  }

  /// The maximum number of symbolic links that the kernel follows in one path (path_resolution(7)).
  private static let maximumLinks = 40

  private let root: RootModel
  private let host: (String) -> HostFile
  private var links = 0
  private var lastLink: Link?
  private var pendingComponents: [Substring]
  private var currentPath = "/"

  /// Resolves a path. Relative paths start at the session content directory. `host` returns the host's file
  /// at a path without following symbolic links.
  package static func walk(_ path: String, _ root: RootModel, _ host: (String) -> HostFile) -> Result {
    withoutActuallyEscaping(host) { host in
      var walk = PathWalk(root: root, host: host, path: path)
      let end = walk.resolve()
      var result = Result(end: end, lastLink: walk.lastLink)
      if case .absent(let missing, _) = end {
        result.missingPath = ([missing] + walk.pendingComponents.reversed().map(String.init))
          .joined(separator: "/")
      }
      return result
    }
  }

  private init(root: RootModel, host: @escaping (String) -> HostFile, path: String) {
    self.root = root
    self.host = host
    pendingComponents = (path.hasPrefix("/") ? path : "/session/\(path)").split(separator: "/").reversed()
  }

  private mutating func resolve() -> End {
    var last: HostFile?
    while let name = pendingComponents.popLast() {
      if name == "." { continue }
      if name == ".." {
        currentPath = Self.parent(of: currentPath)
        continue
      }
      let next = currentPath == "/" ? "/\(name)" : "\(currentPath)/\(name)"
      switch lookUp(at: next) {
      case .link(let target):
        if case .writableDirectory(.refused, _)? = root.enclosingItem(of: next)?.kind {
          return .linkRefused(next)
        }
        links += 1
        lastLink = Link(path: next, target: target)
        guard links <= Self.maximumLinks else { return .tooManyLinks }
        if target.hasPrefix("/") { currentPath = "/" }
        pendingComponents += target.split(separator: "/").reversed()
      case .absent: return .absent(next, root.enclosingItem(of: next))
      case let file:
        currentPath = next
        last = file
      }
    }
    return .found(currentPath, root.enclosingItem(of: currentPath), last)
  }

  /// Returns the file at a path, or `nil` if only the session knows it.
  private func lookUp(at path: String) -> HostFile? {
    if let item = root.item(at: path) {
      switch item.kind {
      case .link(let target): return .link(to: target)
      case .host(let source): return host(source)
      case .builtIn, .writableDirectory, .proc: return nil
      }
    }
    if root.leads(to: path) { return .directory }
    guard let enclosingItem = root.enclosingItem(of: path) else { return .absent }
    let rest = path.dropFirst(enclosingItem.path == "/" ? 0 : enclosingItem.path.count)
    switch enclosingItem.kind {
    case .host(let source): return host(source + rest)
    case .writableDirectory(_, let source): return source.flatMap { link(host($0 + rest)) }
    case .proc: return nil
    case .builtIn, .link: return .absent
    }
  }

  /// Returns a file if it is a symbolic link. Other files that the extension creates can appear and disappear
  /// at any time.
  private func link(_ file: HostFile) -> HostFile? {
    if case .link = file { file } else { nil }
  }

  private static func parent(of path: String) -> String {
    let names = path.split(separator: "/").dropLast()
    return "/" + names.joined(separator: "/")
  }
}
