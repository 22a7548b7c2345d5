// SPDX-License-Identifier: Apache-2.0

/// Follows a path through a session's root, as the kernel would.
package struct PathWalk {
  /// Where a walk ends.
  package enum End: Sendable, Hashable {
    /// At something: its path without links, what holds it, and what it is where that is known.
    case found(String, RootModel.Item?, HostFile?)
    /// Nothing is there: neither here nor in what holds it.
    case absent(String, RootModel.Item?)
    /// A link that the kernel does not follow.
    case linkRefused(String)
    /// Links that lead in a circle.
    case tooManyLinks
  }

  /// A symbolic link that was followed.
  package struct Link: Sendable, Hashable {
    /// The path of the link, without links in its directory.
    package var path: String
    /// The text of the link.
    package var target: String
  }

  /// The result of a walk.
  package struct Result: Sendable, Hashable {
    /// Where the walk ended.
    package var end: End
    /// The last link that was followed, or `nil` if there was none.
    package var lastLink: Link?
  }

  /// The links that the kernel follows in one path.
  private static let mostLinks = 40

  private let root: RootModel
  private let host: (String) -> HostFile
  private var links = 0
  private var lastLink: Link?
  private var waiting: [Substring]
  private var place = "/"

  /// Follows a path; one that is not absolute begins in the session directory. `host` looks at the host's files.
  package static func walk(_ path: String, _ root: RootModel, _ host: (String) -> HostFile) -> Result {
    withoutActuallyEscaping(host) { host in
      var walk = PathWalk(root: root, host: host, path: path)
      let end = walk.run()
      return Result(end: end, lastLink: walk.lastLink)
    }
  }

  private init(root: RootModel, host: @escaping (String) -> HostFile, path: String) {
    self.root = root
    self.host = host
    waiting = (path.hasPrefix("/") ? path : "/session/\(path)").split(separator: "/").reversed()
  }

  private mutating func run() -> End {
    var last: HostFile?
    while let name = waiting.popLast() {
      if name == "." { continue }
      if name == ".." {
        place = Self.parent(of: place)
        continue
      }
      let next = place == "/" ? "/\(name)" : "\(place)/\(name)"
      switch look(at: next) {
      case .link(let target):
        if case .space(.refused, _)? = root.holder(of: next)?.kind { return .linkRefused(next) }
        links += 1
        lastLink = Link(path: next, target: target)
        guard links <= Self.mostLinks else { return .tooManyLinks }
        if target.hasPrefix("/") { place = "/" }
        waiting += target.split(separator: "/").reversed()
      case .absent: return .absent(next, root.holder(of: next))
      case let file:
        place = next
        last = file
      }
    }
    return .found(place, root.holder(of: place), last)
  }

  /// What is at a place; nil if only the session itself knows.
  private func look(at path: String) -> HostFile? {
    if let item = root.item(at: path) {
      switch item.kind {
      case .link(let target): return .link(to: target)
      case .host(let source): return host(source)
      case .own, .space, .processes: return nil
      }
    }
    if root.leads(to: path) { return .directory }
    guard let holder = root.holder(of: path) else { return .absent }
    let rest = path.dropFirst(holder.path == "/" ? 0 : holder.path.count)
    switch holder.kind {
    case .host(let source): return host(source + rest)
    case .space(_, let source): return source.flatMap { link(host($0 + rest)) }
    case .processes: return nil
    case .own, .link: return .absent
    }
  }

  /// Of what an extension has made only the links matter: what else is there may be gone or come at any time.
  private func link(_ file: HostFile) -> HostFile? {
    if case .link = file { file } else { nil }
  }

  private static func parent(of path: String) -> String {
    let names = path.split(separator: "/").dropLast()
    return "/" + names.joined(separator: "/")
  }
}
