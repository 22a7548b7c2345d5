// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy

/// The session's root, put together: what stands where, and what Landlock allows beneath it.
struct SandboxRoot {
  /// The attributes of everything that the session is shown of the host.
  private static let shown: RootItem.MountAttributes = [.readOnly, .noSetUserID, .noDevices]
  /// The names at the top of the tree that belong to `/usr` on a merged system (hier(7)).
  static let mergedNames = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"]

  /// What differs from one session of an extension to the next.
  static let ownItems: Set = ["/session", "/library", "/app-context.json"]

  /// The items in the order in which they are made.
  var items: [RootItem] = [.directory(RootItem.emptyDirectory)]
  /// The directories beneath which everything may be read and run, as the extension sees them.
  private(set) var readableDirectories: [String] = []
  /// The single files that may be read and run.
  var readableFiles: [String] = []
  /// The devices.
  private(set) var devices: [String] = []
  /// Whether the app shares something.
  var hasAssets = false
  /// Where in ``items`` those are that differ from one session to the next.
  var own = OwnItems()
  /// What was looked at of the host, by which it is known whether another session's root would be the same.
  var lookups = PathLookups()
  /// What is mounted on the machine.
  let mounts: MountPoints
  private var made: Set<String> = ["/\(RootItem.emptyDirectory)"]

  /// An empty root, on a machine with these mounts.
  init(mounts: MountPoints) { self.mounts = mounts }

  /// Shows a path of the host at the same place. A symbolic link is shown as one; what it names must be shown, too.
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

  /// A link out of what is shown would lead nowhere, so the file that it names is shown in its place.
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

  /// Shows one program of the host somewhere else. A symbolic link to a program that is shown anyway stays a link: the
  /// program finds the files beside it, and has the name that the user typed.
  mutating func showAlone(_ program: String, as target: String) throws(PlanError) {
    let kind: PathLookups.Kind
    do { kind = try lookups.kind(of: program) } catch { throw .path(error) }
    if kind == .link { try showLink(program, at: target) } else { try show(program, as: target) }
  }

  private mutating func showMergedNames() throws(PlanError) {
    for name in Self.mergedNames {
      do {
        if try lookups.kind(of: "/\(name)") == .link {
          items.append(.symbolicLink(name, to: "usr/\(name)"))
        }
      } catch { throw .path(error) }
    }
  }

  /// Shows a path that a person asked for. The session's own `/tmp` is a link into its container, so what lies in the
  /// host's appears there. Landlock lets an extension write to its container, so there the mount alone is what makes it
  /// read-only.
  mutating func showByRequest(_ path: String) throws(PlanError) {
    for temporary in ["/tmp/", "/var/tmp/"] where path.hasPrefix(temporary) {
      return try show(path, as: "/container/tmp/\(path.dropFirst(temporary.count))")
    }
    try show(path, .required)
  }

  /// Shows one file or directory of the host somewhere else, for reading and running.
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
    // A layer does not show what is mounted below it.
    if mounts.arePresent(below: source, real: real) {
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

  /// Shows a device of the host.
  mutating func device(_ path: String) {
    placeholder(path)
    items.append(.bind(source: path, target: Self.relative(path), [.noSetUserID, .noExecution]))
    devices.append(path)
  }

  /// A small file with contents of its own.
  mutating func file(_ path: String, _ contents: [UInt8]) {
    parents(of: path)
    guard noteMade(path) else { return }
    items.append(.file(Self.relative(path), contents: contents))
    readableFiles.append(path)
  }

  /// An empty file, for something to be mounted on.
  mutating func placeholder(_ path: String) {
    parents(of: path)
    if noteMade(path) { items.append(.file(Self.relative(path), contents: [])) }
  }

  /// A directory, if it is not there yet.
  mutating func directory(_ path: String) {
    guard path != "/", noteMade(path) else { return }
    parents(of: path)
    items.append(.directory(Self.relative(path)))
  }

  /// Notes that a path is there; false: it was before.
  mutating func noteMade(_ path: String) -> Bool { made.insert(path).inserted }

  /// The directories that a path lies in.
  mutating func parents(of path: String) { directory(FileSystem.directoryName(path)) }

  /// A path as the items have it.
  static func relative(_ path: String) -> String { String(path.dropFirst()) }
}
