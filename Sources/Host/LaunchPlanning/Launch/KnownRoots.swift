// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy
internal import Synchronization

/// The roots that a host has put together already, so that the next session of a kind has its own put together from it.
///
/// A root is used again only while the same is mounted, and while every name of the host that it was decided by is what it
/// was: each is looked at again, but where ``NameWatch`` tells that none was changed and nothing was mounted or unmounted
/// since. Whatever else decides it is in its ``Kind``.
final class KnownRoots: Sendable {
  /// What roots of one kind have in common.
  struct Kind: Sendable {
    /// The program.
    var program: LaunchSubject.Program
    /// The paths that a person shows.
    var shown: [String]
    /// The paths of the policy.
    var readOnly: [ReadOnlyPath]
    /// The devices of the policy.
    var devices: [Sourced<String>]
    /// Whether the session is shown a library.
    var hasLibrary: Bool
    /// Whether the app shares something.
    var hasAssets: Bool
    /// Whether the context is known only later.
    var hasContextFile: Bool
  }

  /// A root of a kind. An object, because every launch looks for one, and to copy all that it has takes longer.
  final class Known: Sendable {
    /// The kind.
    let kind: Kind
    /// The root of the session that it was made for.
    let root: SandboxRoot
    /// What it holds, for all sessions of the kind.
    private let common: CommonRoot
    /// What Landlock makes of it; nil where there is no Landlock.
    let landlock: LandlockRuleset?
    /// The last reading of the table of mounts with which it was the same.
    let mounts: MountTable.Reading
    /// Whether its names are watched.
    fileprivate let watching: Watching

    /// Names a root.
    init(
      kind: Kind,
      root: SandboxRoot,
      landlock: LandlockRuleset?,
      mounts: MountTable.Reading,
      common: CommonRoot? = nil,
      watching: Watching = .notYet
    ) {
      self.kind = kind
      self.root = root
      self.common = common ?? CommonRoot(root.items)
      self.landlock = landlock
      self.mounts = mounts
      self.watching = watching
    }

    /// The same root, of which something else is known.
    fileprivate func watched(_ watching: Watching, _ mounts: MountTable.Reading) -> Known {
      Known(kind: kind, root: root, landlock: landlock, mounts: mounts, common: common, watching: watching)
    }

    /// What the root of a session of the kind holds.
    func contents(for session: LaunchPlanner.Session, scratchBytes: Int) -> SessionRoot {
      .shared(common, except: root.ownItems(for: session, scratchBytes: scratchBytes))
    }
  }

  /// Whether names are watched.
  enum Watching: Equatable, Sendable {
    /// Not before they are needed for the second time.
    case notYet
    /// As long as ``NameWatch/changes`` is this number, they are what they were.
    case unchanged(UInt64)
    /// They cannot be, so that they are looked at each time.
    case impossible
  }

  /// A host has few kinds of sessions at a time.
  private static let most = 16

  private let watch: NameWatch

  /// Knows none yet.
  init(watch: NameWatch = .shared) { self.watch = watch }

  /// The latest in front.
  private let known = Mutex<[Known]>([])

  /// The last root of a kind, if it would be the same now; `mounts` is the reading of this moment.
  func root(of kind: Kind, mounts: MountTable.Reading) -> Known? {
    guard let last = known.withLock({ $0.first { $0.kind.isSame(as: kind) } }), last.mounts.isSame(as: mounts)
    else { return nil }
    let isUndisturbed = last.mounts === mounts
    if isUndisturbed, last.watching == .unchanged(watch.changes) { return last }
    var watching = last.watching
    switch (watching, isUndisturbed) {
    case (.impossible, _): break
    // What has come and gone may have stood where names are watched. Where it happens often, to watch them anew each time
    // takes longer than to look at them.
    case (_, false): watching = .notYet
    // Watched before they are looked at, so that no change is missed.
    case (_, true): watching = watch.watch(last.root.lookups) ? .unchanged(watch.changes) : .impossible
    }
    guard last.root.lookups.isCurrent else { return nil }
    if !isUndisturbed || last.watching != watching { keep(last.watched(watching, mounts)) }
    return last
  }

  /// Keeps a root instead of the last one of its kind.
  func keep(_ root: Known) {
    known.withLock { known in
      known.removeAll { $0.kind.isSame(as: root.kind) }
      known.insert(root, at: 0)
      if known.count > Self.most { known.removeLast() }
    }
  }
}

extension KnownRoots.Kind {
  /// Whether two are the same to the kernel, to which paths are bytes.
  func isSame(as other: Self) -> Bool {
    hasLibrary == other.hasLibrary && hasAssets == other.hasAssets && hasContextFile == other.hasContextFile
      && program.isSame(as: other.program) && shown.hasBytes(of: other.shown)
      && readOnly.isSame(as: other.readOnly) { $0.presence == $1.presence && $0.path.hasBytes(of: $1.path) }
      && devices.isSame(as: other.devices) { $0.value.hasBytes(of: $1.value) }
  }
}

extension LaunchSubject.Program {
  /// Whether two are the same to the kernel.
  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.bundled(let directory, _), .bundled(let otherDirectory, _)): directory.hasBytes(of: otherDirectory)
    case (.file(let path), .file(let otherPath)): path.hasBytes(of: otherPath)
    // It lies in what is shown anyway.
    case (.shown, .shown): true
    default: false
    }
  }
}
