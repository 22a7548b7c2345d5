// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy

/// The session's root, put together: what stands where, and what Landlock allows beneath it.
struct SandboxRoot {
  /// The attributes of everything that the session is shown of the host.
  private static let shown: RootItem.MountAttributes = [.readOnly, .noSetUserID, .noDevices]
  /// The names at the top of the tree that belong to `/usr` on a merged system (hier(7)).
  private static let mergedNames = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"]

  /// What differs from one session of an extension to the next.
  static let ownItems: Set = ["/session", "/library", "/app-context.json"]

  /// The items in the order in which they are made.
  private(set) var items: [RootItem] = [.directory(RootItem.emptyDirectory)]
  /// The directories beneath which everything may be read and run, as the extension sees them.
  private(set) var readableDirectories: [String] = []
  /// The single files that may be read and run.
  private(set) var readableFiles: [String] = []
  /// The devices.
  private(set) var devices: [String] = []
  /// Whether the app shares something.
  private(set) var hasAssets = false
  private let mounts: MountPoints
  private var made: Set<String> = ["/\(RootItem.emptyDirectory)"]

  /// An empty root, on a machine with these mounts.
  init(mounts: MountPoints) { self.mounts = mounts }

  /// Shows a path of the host at the same place. A symbolic link is shown as one; what it names must be shown, too.
  /// `real` is the true name of the path, where it is known.
  mutating func show(
    _ path: String,
    real: String? = nil,
    _ presence: ReadOnlyPath.Presence
  ) throws(PlanError) {
    let status: FileStatus?
    do { status = try FileSystem.status(path) } catch { throw .path(error) }
    guard let status else {
      if presence == .optional { return }
      throw .missingPath(path)
    }
    switch status.kind {
    case .symbolicLink: try showLink(path, real)
    case .directory: bindDirectory(path, real: real, at: path)
    default: bindFile(path, at: path)
    }
    if path == "/usr" { try showMergedNames() }
  }

  /// A link out of what is shown would lead nowhere, so the file that it names is shown in its place.
  private mutating func showLink(_ path: String, _ real: String?) throws(PlanError) {
    do {
      let target = if let real { real } else { try FileSystem.realPath(path) }
      if readableDirectories.contains(where: { target == $0 || target.hasPrefix($0 + "/") }) {
        parents(of: path)
        items.append(.symbolicLink(Self.relative(path), to: target))
        return
      }
      try bind(target, at: path)
    } catch { throw .path(error) }
  }

  private mutating func showMergedNames() throws(PlanError) {
    for name in Self.mergedNames {
      do {
        if try FileSystem.status("/\(name)")?.kind == .symbolicLink {
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
    let open = try FileSystem.open(source, .path)
    if try open.status().kind == .directory {
      // The kernel names it in one call; realpath(3) makes one for each part of the path.
      bindDirectory(source, real: try? FileSystem.linkTarget("/proc/self/fd/\(open.rawValue)"), at: target)
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

  /// The session's own directories and files.
  mutating func addSession(
    content: String,
    library: String?,
    assets: String?,
    scratchBytes: Int,
    owner: LaunchPlan.Identity,
    context: [UInt8],
    contextFile: String? = nil
  ) {
    directory("/session")
    items.append(
      .bind(
        source: content,
        target: "session",
        [.noSetUserID, .noDevices, .noExecution, .noSymbolicLinks]
      )
    )
    showLibrary(library)
    showAssets(assets)
    directory("/container")
    items.append(
      .scratch(
        "container",
        options: "mode=700,size=\(scratchBytes),nr_inodes=65536,\(owner.tmpfsOwner)",
        [.noSetUserID, .noDevices, .noExecution]
      )
    )
    for name in InsidePaths.containerNames {
      items.append(.ownDirectory("container/\(name)"))
      made.insert("/container/\(name)")
    }
    directory("/proc")
    items.append(.processes("proc", options: "subset=pid,hidepid=invisible"))
    for (path, target) in [
      ("/tmp", "/container/tmp"), ("/var/tmp", "/container/tmp"), ("/dev/shm", "/container/shm"),
      ("/dev/fd", "/proc/self/fd"), ("/dev/stdin", "/proc/self/fd/0"), ("/dev/stdout", "/proc/self/fd/1"),
      ("/dev/stderr", "/proc/self/fd/2"),
    ] {
      parents(of: path)
      items.append(.symbolicLink(Self.relative(path), to: target))
    }
    showContext(contextFile, context)
    file("/etc/passwd", Array(Self.passwd.utf8))
    file("/etc/group", Array("extension:x:1000:\nnogroup:x:65534:\n".utf8))
    file("/etc/nsswitch.conf", Array("passwd: files\ngroup: files\nhosts: files\n".utf8))
  }

  /// What the host shows of the photo library. Read-only also against the extension's own user, whose files these are
  /// where the host is an ordinary one; no layer, because the host changes what is in it.
  private mutating func showLibrary(_ path: String?) {
    directory("/library")
    guard let path else { return }
    items.append(
      .bind(
        source: path,
        target: "library",
        [.readOnly, .noSetUserID, .noDevices, .noExecution, .noSymbolicLinks]
      )
    )
  }

  /// The app context; where it is known only later, a file that the host writes then, and the extension cannot.
  private mutating func showContext(_ path: String?, _ contents: [UInt8]) {
    let place = "/app-context.json"
    guard let path else { return file(place, contents) }
    placeholder(place)
    items.append(
      .bind(
        source: path,
        target: Self.relative(place),
        [.readOnly, .noSetUserID, .noDevices, .noExecution, .noSymbolicLinks]
      )
    )
    readableFiles.append(place)
  }

  /// What the app shares. A layer, because a set never changes: what an extension locks or watches there is nobody else's.
  private mutating func showAssets(_ path: String?) {
    guard let path else { return }
    directory("/assets")
    items.append(
      .layer(
        source: path,
        target: "assets",
        [.readOnly, .noSetUserID, .noDevices, .noExecution, .noSymbolicLinks]
      )
    )
    hasAssets = true
  }

  private static let passwd = """
    extension:x:1000:1000:Capture extension:/container/home:/usr/sbin/nologin
    nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin

    """

  private mutating func file(_ path: String, _ contents: [UInt8]) {
    parents(of: path)
    guard made.insert(path).inserted else { return }
    items.append(.file(Self.relative(path), contents: contents))
    readableFiles.append(path)
  }

  private mutating func placeholder(_ path: String) {
    parents(of: path)
    if made.insert(path).inserted { items.append(.file(Self.relative(path), contents: [])) }
  }

  private mutating func directory(_ path: String) {
    guard path != "/", made.insert(path).inserted else { return }
    parents(of: path)
    items.append(.directory(Self.relative(path)))
  }

  private mutating func parents(of path: String) { directory(FileSystem.directoryName(path)) }

  private static func relative(_ path: String) -> String { String(path.dropFirst()) }
}

extension LaunchPlan.Identity {
  /// The owner of a tmpfs, in the user namespace in which it is mounted.
  fileprivate var tmpfsOwner: String {
    switch self {
    // A restricted session mounts none.
    case .caller, .restricted: "uid=\(LaunchPlan.innerUser),gid=\(LaunchPlan.innerUser)"
    case .other(let user, let group): "uid=\(user),gid=\(group)"
    }
  }
}
