// SPDX-License-Identifier: Apache-2.0

internal import SandboxLaunch

/// What a root holds that is one session's own.
extension SandboxRoot {
  /// Where in ``items`` those are that differ from one session to the next of its kind; nil: there is none.
  struct OwnItems {
    /// The session content directory.
    var content: Int?
    /// What is shown of the photo library.
    var library: Int?
    /// What the app shares.
    var assets: Int?
    /// The container, which belongs to whoever the extension is.
    var container: Int?
    /// The app context.
    var context: Int?

    /// Follows an item that was put ahead of all of them.
    mutating func moveUp() {
      content = content.map { $0 + 1 }
      library = library.map { $0 + 1 }
      assets = assets.map { $0 + 1 }
      container = container.map { $0 + 1 }
      context = context.map { $0 + 1 }
    }
  }

  /// The session's own directories and files.
  mutating func addSession(_ session: LaunchPlanner.Session, scratchBytes: Int) {
    directory("/session")
    own.content = append(Self.content(session))
    directory("/library")
    if let path = session.library { own.library = append(Self.library(path)) }
    if let path = session.assets {
      directory("/assets")
      own.assets = append(Self.assets(path))
      hasAssets = true
    }
    directory("/container")
    own.container = append(Self.container(session, scratchBytes))
    for name in InsidePaths.containerNames {
      items.append(.ownDirectory("container/\(name)"))
      _ = noteMade("/container/\(name)")
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

  /// What another session of the same kind has instead of ``items``, in the order of the places: that in which they are
  /// added.
  func ownItems(for session: LaunchPlanner.Session, scratchBytes: Int) -> [SessionRoot.OwnItem] {
    var items: [SessionRoot.OwnItem] = []
    items.reserveCapacity(5)
    if let place = own.content { items.append(.init(place: place, Self.content(session))) }
    if let place = own.library, let path = session.library {
      items.append(.init(place: place, Self.library(path)))
    }
    if let place = own.assets, let path = session.assets {
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

  // Put together once: every launch needs them.
  /// What holds where the extension writes.
  private static let own: RootItem.MountAttributes = [
    .noSetUserID, .noDevices, .noExecution, .noSymbolicLinks,
  ]
  /// What holds where it only reads.
  private static let readOnly = own.union(.readOnly)
  /// What holds in its scratch space.
  private static let scratch: RootItem.ScratchFlags = [.noSetUserID, .noDevices, .noExecution]
  /// How many files can be there.
  private static let mostFiles = 65536

  private static func content(_ session: LaunchPlanner.Session) -> RootItem {
    .bind(source: session.content, target: "session", own)
  }

  /// What the host shows of the photo library. Read-only also against the extension's own user, whose files these are
  /// where the host is an ordinary one; no layer, because the host changes what is in it.
  private static func library(_ path: String) -> RootItem {
    .bind(source: path, target: "library", readOnly)
  }

  /// What the app shares. A layer, because a set never changes: what an extension locks or watches there is nobody else's.
  private static func assets(_ path: String) -> RootItem {
    .layer(source: path, target: "assets", readOnly)
  }

  private static func container(_ session: LaunchPlanner.Session, _ bytes: Int) -> RootItem {
    .scratch(
      "container",
      .init(bytes: bytes, files: mostFiles, owner: session.identity.scratchOwner, scratch)
    )
  }

  /// The app context; where it is known only later, a file that the host writes then, and the extension cannot.
  private mutating func showContext(_ session: LaunchPlanner.Session) {
    let place = "/app-context.json"
    if session.contextFile == nil {
      parents(of: place)
      guard noteMade(place) else { return }
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
  /// The owner of the scratch space, in the user namespace in which it is mounted.
  fileprivate var scratchOwner: RootItem.Scratch.Owner {
    switch self {
    // A restricted session mounts none.
    case .caller, .restricted: .init(user: LaunchPlan.innerUser, group: LaunchPlan.innerUser)
    case .other(let user, let group): .init(user: user, group: group)
    }
  }
}
