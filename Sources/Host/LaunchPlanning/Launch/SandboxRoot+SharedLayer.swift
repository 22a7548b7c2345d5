// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch

/// Shares one file system between several layers.
///
/// Each file system costs time: the session has to create it, and when it is removed the kernel waits for all
/// processors. So the layers that are in one directory tree of the host use one file system.
extension SandboxRoot {
  /// Directories of the host over which a shared layer can be mounted, because hardly any files in them are
  /// visible in sessions.
  private static let mountTargets = ["/sys", "/proc"]

  /// A directory and the layers in it.
  private struct SharedLayer {
    var directory: String
    var layers: [String]

    /// Returns whether this directory is the better choice: it contains more layers, or the same number in a
    /// smaller subtree.
    func isBetter(than other: SharedLayer) -> Bool {
      layers.count == other.layers.count
        ? directory.utf8.count > other.directory.utf8.count : layers.count > other.layers.count
    }
  }

  /// Adds a shared layer if it can serve at least two layers.
  ///
  /// Root can use a directory with mounts below it. For other users the kernel refuses such a directory
  /// (EINVAL), because it would reveal files that the mounts cover.
  mutating func addSharedLayer(for identity: LaunchPlan.Identity) {
    let isRoot = if case .other = identity { true } else { false }
    let layers = layersByTrueName()
    guard layers.count > 1, let place = Self.mountTargets.first(where: { isFree($0) }) else { return }
    let directories = Set(layers.flatMap(Self.directories))
    let grounds = directories.map { SharedLayer(directory: $0, layers: Self.paths(layers, in: $0)) }
    var best = SharedLayer(directory: "", layers: [])
    for ground in grounds.sorted(by: { $0.isBetter(than: $1) }) {
      // The candidates are sorted, so no later candidate can be better.
      guard ground.isBetter(than: best) else { break }
      let usable = usable(ground, isRoot: isRoot)
      if usable.isBetter(than: best) { best = usable }
    }
    guard best.layers.count > 1 else { return }
    // After the directory over which layers are mounted (``RootItem/emptyDirectory``), and before all layers
    // that use the shared layer.
    items.insert(.layerBase(source: best.directory, over: place, layers: best.layers), at: 1)
    own.shiftByOne()
  }

  /// Returns the host directories that are layers and whose path is the real path. The assets are excluded,
  /// because they differ between sessions.
  private mutating func layersByTrueName() -> [String] {
    items.indices.compactMap { index in
      guard index != own.assets, case .layer(let source, _, _) = items[index] else { return nil }
      guard let real = try? lookups.resolve(source).path, real.hasBytes(of: source) else { return nil }
      return source
    }
  }

  /// Returns whether a path is a directory and no file in it is visible in the session.
  private mutating func isFree(_ place: String) -> Bool {
    guard let real = try? lookups.resolve(place), real.kind == .directory, real.path == place else {
      return false
    }
    return Self.paths(ShownFiles.paths(items), in: place).isEmpty
  }

  /// Returns the usable part of a shared layer.
  private func usable(_ ground: SharedLayer, isRoot: Bool) -> SharedLayer {
    var ground = ground
    if !isRoot
      && (ground.directory == "/" || mounts.exist(below: ground.directory, real: ground.directory))
    {
      ground.layers = []
    }
    // The shared layer shows its own file system, without the mounts in it.
    ground.layers.removeAll { mounts.exist(between: ground.directory, and: $0) }
    return ground
  }

  /// Returns a path and all its parent directories.
  private static func directories(around path: String) -> [String] {
    var directories = [path]
    while let last = directories.last, last != "/" { directories.append(FileSystem.directoryName(last)) }
    return directories
  }

  /// Returns the paths that are a directory or are in it.
  private static func paths(_ paths: [String], in directory: String) -> [String] {
    let prefix = directory == "/" ? "/" : "\(directory)/"
    return paths.filter { $0.hasBytes(of: directory) || $0.utf8.starts(with: prefix.utf8) }
  }
}
