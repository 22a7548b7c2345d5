// SPDX-License-Identifier: Apache-2.0

internal import SandboxLaunch

/// The items of a root that belong to a single session.
extension SandboxRoot {
  /// The indexes in ``items`` of the items that differ between sessions of one kind. An index is `nil` if the
  /// item is absent.
  struct SessionItemIndices {
    /// The session content directory.
    var content: Int?
    /// The visible part of the photo library.
    var library: Int?
    /// The assets that the app shares.
    var assets: Int?
    /// The container. Its owner depends on the identity of the session.
    var container: Int?
    /// The app context.
    var context: Int?

    /// Increments all indexes after an item was inserted before them.
    mutating func shiftByOne() {
      content = content.map { $0 + 1 }
      library = library.map { $0 + 1 }
      assets = assets.map { $0 + 1 }
      container = container.map { $0 + 1 }
      context = context.map { $0 + 1 }
    }
  }

  /// Adds the session's own directories and files.
  mutating func addSession(_ session: LaunchPlanner.Session, scratchBytes: Int) {
    directory("/session")
    own.content = append(Self.content(session))
    directory("/library")
    if let path = session.files.library { own.library = append(Self.library(path)) }
    if let path = session.files.assets {
      directory("/assets")
      own.assets = append(Self.assets(path))
      hasAssets = true
    }
    directory("/container")
    own.container = append(Self.container(session, scratchBytes))
    for name in SandboxPaths.containerNames {
      items.append(.ownDirectory("container/\(name)"))
      _ = markCreated("/container/\(name)")
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
    showContext(session)
    file("/etc/passwd", Array(Self.passwd.utf8))
    file("/etc/group", Array("extension:x:1000:\nnogroup:x:65534:\n".utf8))
    file("/etc/nsswitch.conf", Array("passwd: files\ngroup: files\nhosts: files\n".utf8))
  }

  /// Returns the items with which another session of the same kind replaces those in ``items``, in the order
  /// of their indexes.
  func ownItems(for session: LaunchPlanner.Session, scratchBytes: Int) -> [SessionRoot.ItemOverride] {
    var items: [SessionRoot.ItemOverride] = []
    items.reserveCapacity(5)
    if let place = own.content { items.append(.init(place: place, Self.content(session))) }
    if let place = own.library, let path = session.files.library {
      items.append(.init(place: place, Self.library(path)))
    }
    if let place = own.assets, let path = session.files.assets {
      items.append(.init(place: place, Self.assets(path)))
    }
    if let place = own.container {
      items.append(.init(place: place, Self.container(session, scratchBytes)))
    }
    if let place = own.context { items.append(.init(place: place, Self.context(session))) }
    return items
  }

  private mutating func append(_ item: RootItem) -> Int {
    items.append(item)
    return items.count - 1
  }

  /// The mount attributes of directories that the extension can write. Computed once, because every launch
  /// needs them.
  private static let own: RootItem.MountAttributes = [
    .noSetUserID, .noDevices, .noExecution, .noSymbolicLinks,
  ]
  /// The mount attributes of directories that the extension can only read.
  private static let readOnly = own.union(.readOnly)
  /// The mount flags of the scratch space.
  private static let scratch: RootItem.ScratchFlags = [.noSetUserID, .noDevices, .noExecution]
  /// The maximum number of files in the scratch space.
  private static let maximumFiles = 65536

  private static func content(_ session: LaunchPlanner.Session) -> RootItem {
    .bind(source: session.files.content, target: "session", own)
  }

  /// Returns the item for the visible part of the photo library.
  ///
  /// The mount is read-only even if the extension has the owner's UID, which is the case for an unprivileged
  /// host. It is not a layer, because the host changes its content.
  private static func library(_ path: String) -> RootItem {
    .bind(source: path, target: "library", readOnly)
  }

  /// Returns the item for the shared assets. It is a layer because a set of assets never changes, and so that
  /// locks and watches of the extension do not affect other processes.
  private static func assets(_ path: String) -> RootItem {
    .layer(source: path, target: "assets", readOnly)
  }

  private static func container(_ session: LaunchPlanner.Session, _ bytes: Int) -> RootItem {
    .scratch(
      "container",
      .init(bytes: bytes, files: maximumFiles, owner: session.identity.scratchOwner, scratch)
    )
  }

  /// Adds the app context. If the context is known only later, it is a file that the host writes and the
  /// extension cannot write.
  private mutating func showContext(_ session: LaunchPlanner.Session) {
    let place = "/app-context.json"
    if session.contextFile == nil {
      parents(of: place)
      guard markCreated(place) else { return }
    } else {
      placeholder(place)
    }
    own.context = append(Self.context(session))
    readableFiles.append(place)
  }

  private static func context(_ session: LaunchPlanner.Session) -> RootItem {
    let place = "app-context.json"
    guard let path = session.contextFile else { return .file(place, contents: session.context) }
    return .bind(source: path, target: place, readOnly)
  }

  private static let passwd = """
    extension:x:1000:1000:Capture extension:/container/home:/usr/sbin/nologin
    nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin

    """
}

extension LaunchPlan.Identity {
  /// The owner of the scratch space, as IDs in the user namespace in which it is mounted.
  fileprivate var scratchOwner: RootItem.Scratch.Owner {
    switch self {
    // Restricted sessions do not mount scratch space.
    case .caller, .restricted: .init(user: LaunchPlan.innerUser, group: LaunchPlan.innerUser)
    case .other(let user, let group): .init(user: user, group: group)
    }
  }
}
