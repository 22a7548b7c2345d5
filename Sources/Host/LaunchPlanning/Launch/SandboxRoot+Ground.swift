// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch

/// One file system for many layers.
///
/// Each file system costs its session: to make it, and at the end the kernel waits for all processors before it is gone.
/// So the layers that lie in one tree of the host are taken from one.
extension SandboxRoot {
  /// Directories of the host that a ground can be laid over, because hardly anything is shown of what lies there.
  private static let places = ["/sys", "/proc"]

  /// A directory, and the layers in it.
  private struct Ground {
    var directory: String
    var layers: [String]

    /// Whether it is better than another: it has more layers, or as many and less besides them.
    func isBetter(than other: Ground) -> Bool {
      layers.count == other.layers.count
        ? directory.utf8.count > other.directory.utf8.count : layers.count > other.layers.count
    }
  }

  /// Lays a ground for the layers, if two of them can have one. Root can use a directory in which others are mounted; to
  /// anybody else the kernel refuses one (EINVAL), because it would show what these cover.
  mutating func layGround(for identity: LaunchPlan.Identity) {
    let isRoot = if case .other = identity { true } else { false }
    let layers = layersByTrueName()
    guard layers.count > 1, let place = Self.places.first(where: { isFree($0) }) else { return }
    let directories = Set(layers.flatMap(Self.directories))
    let grounds = directories.map { Ground(directory: $0, layers: Self.paths(layers, in: $0)) }
    var best = Ground(directory: "", layers: [])
    for ground in grounds.sorted(by: { $0.isBetter(than: $1) }) {
      // None that follows can be better.
      guard ground.isBetter(than: best) else { break }
      let usable = usable(ground, isRoot: isRoot)
      if usable.isBetter(than: best) { best = usable }
    }
    guard best.layers.count > 1 else { return }
    // Behind the directory that layers are laid over (``RootItem/emptyDirectory``), and ahead of all that it serves.
    items.insert(.ground(source: best.directory, over: place, layers: best.layers), at: 1)
    own.moveUp()
  }

  /// The directories of the host that are layers, if they are named as they truly are. Not the assets, which are each
  /// session's own.
  private mutating func layersByTrueName() -> [String] {
    items.indices.compactMap { index in
      guard index != own.assets, case .layer(let source, _, _) = items[index] else { return nil }
      guard let real = try? lookups.resolve(source).path, real.hasBytes(of: source) else { return nil }
      return source
    }
  }

  /// Whether a place is a directory, and nothing is shown of what lies there.
  private mutating func isFree(_ place: String) -> Bool {
    guard let real = try? lookups.resolve(place), real.kind == .directory, real.path == place else {
      return false
    }
    return Self.paths(ShownFiles.paths(items), in: place).isEmpty
  }

  /// What of a ground can be used.
  private func usable(_ ground: Ground, isRoot: Bool) -> Ground {
    var ground = ground
    if !isRoot
      && (ground.directory == "/" || mounts.arePresent(below: ground.directory, real: ground.directory))
    {
      ground.layers = []
    }
    // It shows what lies in its directory, and not what is mounted there.
    ground.layers.removeAll { mounts.arePresent(between: ground.directory, and: $0) }
    return ground
  }

  /// A directory, and all that it lies in.
  private static func directories(around path: String) -> [String] {
    var directories = [path]
    while let last = directories.last, last != "/" { directories.append(FileSystem.directoryName(last)) }
    return directories
  }

  /// Those paths that lead to a directory or into it.
  private static func paths(_ paths: [String], in directory: String) -> [String] {
    let prefix = directory == "/" ? "/" : "\(directory)/"
    return paths.filter { $0.hasBytes(of: directory) || $0.utf8.starts(with: prefix.utf8) }
  }
}
