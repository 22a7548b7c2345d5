// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy

/// The plan of a session's root: its items, and the paths for the Landlock rules.
struct SandboxRoot {
  /// The mount attributes of all visible host files.
  private static let shown: RootItem.MountAttributes = [.readOnly, .noSetUserID, .noDevices]
  /// The top-level directories that are links into `/usr` on a merged system (hier(7)).
  static let mergedUsrNames = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"]

  /// The paths whose content differs between sessions of one extension.
  static let ownItems: Set = ["/session", "/library", "/app-context.json"]

  /// The items in the order of their creation.
  var items: [RootItem] = [.directory(RootItem.emptyDirectory)]
  /// The directories whose contents may be read and executed, as paths in the sandbox.
  private(set) var readableDirectories: [String] = []
  /// The single files that may be read and executed.
  var readableFiles: [String] = []
  /// The device files.
  private(set) var devices: [String] = []
  /// Whether the app shares assets.
  var hasAssets = false
  /// The indexes in ``items`` of the items that differ between sessions.
  var own = SessionItemIndices()
  /// The path lookups on the host that determined this root. If their results change, the root is not reused.
  var lookups = PathLookups()
  /// The mount points of the machine.
  let mounts: MountPoints
  private var createdPaths: Set<String> = ["/\(RootItem.emptyDirectory)"]

  /// Creates an empty root for a machine with these mount points.
  init(mounts: MountPoints) { self.mounts = mounts }

  /// Shows a path of the host at the same path. A symbolic link stays a link, and its target must be shown
  /// separately.
  mutating func show(_ path: String, _ presence: ReadOnlyPath.Presence) throws(PlanError) {
    let kind: PathLookups.Kind
    do { kind = try lookups.kind(of: path) } catch { throw .path(error) }
    switch kind {
    case .missing:
      if presence == .optional { return }
      throw .missingPath(path)
    case .link: try showLink(path, at: path)
    case .directory: bindDirectory(path, real: try? lookups.resolve(path).path, at: path)
    case .file: bindFile(path, at: path)
    }
    if path == "/usr" { try showMergedNames() }
  }

  /// Shows a symbolic link. If the target is not shown, the link would dangle, so the target file is shown in
  /// its place.
  private mutating func showLink(_ link: String, at path: String) throws(PlanError) {
    do {
      let target = try lookups.resolve(link).path
      if readableDirectories.contains(where: { target == $0 || target.hasPrefix($0 + "/") }) {
        parents(of: path)
        items.append(.symbolicLink(Self.relative(path), to: target))
        return
      }
      try bind(target, at: path)
    } catch { throw .path(error) }
  }

  /// Shows one program of the host at another path. A link to a program that is shown in any case stays a
  /// link, so that the program finds adjacent files and keeps the name that the user typed.
  mutating func showFile(_ program: String, as target: String) throws(PlanError) {
    let kind: PathLookups.Kind
    do { kind = try lookups.kind(of: program) } catch { throw .path(error) }
    if kind == .link { try showLink(program, at: target) } else { try show(program, as: target) }
  }

  private mutating func showMergedNames() throws(PlanError) {
    for name in Self.mergedUsrNames {
      do {
        if try lookups.kind(of: "/\(name)") == .link {
          items.append(.symbolicLink(name, to: "usr/\(name)"))
        }
      } catch { throw .path(error) }
    }
  }

  /// Shows a path on the user's request.
  ///
  /// The session's `/tmp` is a link into its container, so files from the host's `/tmp` are shown there.
  /// Landlock allows writes in the container, so only the mount makes these files read-only.
  mutating func showUserPath(_ path: String) throws(PlanError) {
    for temporary in ["/tmp/", "/var/tmp/"] where path.hasPrefix(temporary) {
      return try show(path, as: "/container/tmp/\(path.dropFirst(temporary.count))")
    }
    try show(path, .required)
  }

  /// Shows one file or directory of the host at another path, for reading and executing.
  mutating func show(_ source: String, as target: String) throws(PlanError) {
    do {
      try bind(source, at: target)
    } catch { throw .path(error) }
  }

  private mutating func bind(_ source: String, at target: String) throws(SystemCallError) {
    let place = try lookups.resolve(source)
    if place.kind == .directory {
      bindDirectory(source, real: place.path, at: target)
    } else {
      bindFile(source, at: target)
    }
  }

  private mutating func bindDirectory(_ source: String, real: String?, at target: String) {
    directory(target)
    let place = Self.relative(target)
    // A layer does not show file systems that are mounted below its source.
    if mounts.exist(below: source, real: real) {
      items.append(.bind(source: source, target: place, Self.shown))
    } else {
      items.append(.layer(source: source, target: place, Self.shown))
    }
    readableDirectories.append(target)
  }

  private mutating func bindFile(_ source: String, at target: String) {
    placeholder(target)
    items.append(.bind(source: source, target: Self.relative(target), Self.shown))
    readableFiles.append(target)
  }

  /// Shows a device file of the host.
  mutating func device(_ path: String) {
    placeholder(path)
    items.append(.bind(source: path, target: Self.relative(path), [.noSetUserID, .noExecution]))
    devices.append(path)
  }

  /// Adds a small file with the given content.
  mutating func file(_ path: String, _ contents: [UInt8]) {
    parents(of: path)
    guard markCreated(path) else { return }
    items.append(.file(Self.relative(path), contents: contents))
    readableFiles.append(path)
  }

  /// Adds an empty file as a mount point.
  mutating func placeholder(_ path: String) {
    parents(of: path)
    if markCreated(path) { items.append(.file(Self.relative(path), contents: [])) }
  }

  /// Adds a directory unless it exists.
  mutating func directory(_ path: String) {
    guard path != "/", markCreated(path) else { return }
    parents(of: path)
    items.append(.directory(Self.relative(path)))
  }

  /// Records that a path exists in the root. Returns `false` if it existed before.
  mutating func markCreated(_ path: String) -> Bool { createdPaths.insert(path).inserted }

  /// Adds the parent directories of a path.
  mutating func parents(of path: String) { directory(FileSystem.directoryName(path)) }

  /// Returns a path in the form that items use, without the leading slash.
  static func relative(_ path: String) -> String { String(path.dropFirst()) }
}
