// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// All that lies in a bundle, looked at without following a link.
struct BundleTree: ~Copyable {
  /// The most files and directories that a bundle may have.
  static let mostEntries = 100_000
  /// The deepest directory.
  static let deepest = 32

  /// The bundle's directory.
  let root: Descriptor
  /// What has been found wrong.
  var diagnostics: [ManifestDiagnostic] = []
  /// What the sessions of extensions see of the host, by the extension's directory.
  private let views: [String: PolicyView]
  private var count = 0

  /// Walks through a bundle and returns all that is wrong with what lies there.
  static func faults(in root: consuming Descriptor, _ views: [String: PolicyView]) -> [ManifestDiagnostic] {
    var tree = BundleTree(root: root, views)
    tree.walk(PathBase.directory(tree.root.rawValue), ".", path: "", depth: 0)
    return tree.diagnostics
  }

  private init(root: consuming Descriptor, _ views: [String: PolicyView]) {
    self.root = root
    self.views = views
  }

  private mutating func add(_ fault: ManifestFault, _ path: String) {
    diagnostics.append(ManifestDiagnostic(file: path.isEmpty ? "." : path, fault: fault))
  }

  /// Looks at a directory; `path` is where it lies, from the bundle's directory.
  private mutating func walk(_ base: PathBase, _ name: String, path: String, depth: Int) {
    do {
      guard depth <= Self.deepest else { return add(.treeTooLarge(limit: Self.mostEntries), path) }
      let directory = try FileSystem.open(name, in: base, [.directory, .noFollow])
      for bytes in try directory.entryNames().sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let name = String(decoding: bytes, as: UTF8.self)
        let below = path.isEmpty ? name : "\(path)/\(name)"
        count += 1
        if count == Self.mostEntries + 1 { add(.treeTooLarge(limit: Self.mostEntries), "") }
        if count > Self.mostEntries { return }
        if Array(name.utf8) == bytes {
          look(at: name, in: .directory(directory.rawValue), path: below, depth: depth)
        } else {
          add(.unspeakableName, below)
        }
      }
    } catch {
      add(.unreadable(call: error.call, errno: error.errno), path)
    }
  }

  private mutating func look(at name: String, in base: PathBase, path: String, depth: Int) {
    do {
      // One that has gone meanwhile is no fault; the copy is judged again.
      guard let status = try FileSystem.status(name, in: base) else { return }
      switch status.kind {
      case .directory: walk(base, name, path: path, depth: depth + 1)
      case .symbolicLink: try lookAtLink(path)
      case .regular:
        if status.permissions & 0o6000 != 0 { add(.setID(links: status.links), path) }
      default: add(.specialFile(status.kind), path)
      }
    } catch {
      add(.unreadable(call: error.call, errno: error.errno), path)
    }
  }

  /// Looks at a link.
  private mutating func lookAtLink(_ path: String) throws(SystemCallError) {
    let walk = try BundleWalk(path, in: root)
    guard let first = walk.links.first, let last = walk.links.last else { return }
    switch walk.end {
    case .inside, .missing, .tooManyLinks: break
    case .above: add(.linkEscapes(target: first.target), path)
    // The link that leads there is named, and not those that lead to it.
    case .outside(let target) where last.path == path:
      // Of the bundle, a session has the extension's directory alone.
      let directory = path.split(separator: "/").prefix(2).joined(separator: "/")
      guard let view = views[directory] else { return add(.linkEscapes(target: last.target), path) }
      if view(target) == .hidden { add(.linkHidden(target: last.target), path) }
    case .outside: break
    }
  }
}
