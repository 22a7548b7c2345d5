// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The directory tree of a bundle, which is walked without following symbolic links.
struct BundleTree: ~Copyable {
  /// The maximum number of files and directories of a bundle.
  static let maximumEntries = 100_000
  /// The maximum depth of a directory.
  static let maximumDepth = 32

  /// The bundle's directory.
  let root: Descriptor
  /// The problems found.
  var diagnostics: [ManifestDiagnostic] = []
  /// The files of the host that sessions see, by the extension's directory.
  private let views: [String: PolicyView]
  private var count = 0

  /// Walks through a bundle and returns the problems of its files.
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

  /// Walks through a directory. `path` is relative to the bundle.
  private mutating func walk(_ base: PathBase, _ name: String, path: String, depth: Int) {
    do {
      guard depth <= Self.maximumDepth else { return add(.treeTooLarge(limit: Self.maximumEntries), path) }
      let directory = try FileSystem.open(name, in: base, [.directory, .noFollow])
      for bytes in try directory.entryNames().sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let name = String(decoding: bytes, as: UTF8.self)
        let below = path.isEmpty ? name : "\(path)/\(name)"
        count += 1
        if count == Self.maximumEntries + 1 { add(.treeTooLarge(limit: Self.maximumEntries), "") }
        if count > Self.maximumEntries { return }
        if Array(name.utf8) == bytes {
          inspect(at: name, in: .directory(directory.rawValue), path: below, depth: depth)
        } else {
          add(.nonUTF8Name, below)
        }
      }
    } catch {
      add(.unreadable(call: error.call, errno: error.errno), path)
    }
  }

  private mutating func inspect(at name: String, in base: PathBase, path: String, depth: Int) {
    do {
      // A file that has been removed in the meantime is not a problem: the copy is validated again.
      guard let status = try FileSystem.status(name, in: base) else { return }
      switch status.kind {
      case .directory: walk(base, name, path: path, depth: depth + 1)
      case .symbolicLink: try inspectLink(path)
      case .regular:
        if status.permissions & 0o6000 != 0 { add(.setID(links: status.links), path) }
      default: add(.specialFile(status.kind), path)
      }
    } catch {
      add(.unreadable(call: error.call, errno: error.errno), path)
    }
  }

  /// Validates a symbolic link.
  private mutating func inspectLink(_ path: String) throws(SystemCallError) {
    let walk = try BundleWalk(path, in: root)
    guard let first = walk.links.first, let last = walk.links.last else { return }
    switch walk.end {
    case .inside, .missing, .tooManyLinks: break
    case .above: add(.linkEscapes(target: first.target), path)
    // Only the last link of a chain is reported.
    case .outside(let target) where last.path == path:
      // A session sees only the extension's directory of the bundle.
      let directory = path.split(separator: "/").prefix(2).joined(separator: "/")
      guard let view = views[directory] else { return add(.linkEscapes(target: last.target), path) }
      if view(target) == .hidden { add(.linkHidden(target: last.target), path) }
    case .outside: break
    }
  }
}
