// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy
internal import Synchronization

/// A cache of the roots that a host has planned, from which roots of similar sessions are derived.
///
/// A cached root is used only while the same file systems are mounted and every path lookup that determined
/// it has the same result. Each lookup is repeated, unless ``NameWatch`` reports that no name and no mount
/// has changed since. All other inputs are in its ``Kind``.
final class SandboxRootCache: Sendable {
  /// The inputs that roots of one kind share.
  struct Kind: Sendable {
    var program: LaunchTarget.Program
    /// The paths that the user shows.
    var shown: [String]
    /// The paths of the policy.
    var readOnly: [ReadOnlyPath]
    /// The devices of the policy.
    var devices: [Sourced<String>]
    /// Whether the session is shown a photo library.
    var hasLibrary: Bool
    /// Whether the app shares assets.
    var hasAssets: Bool
    /// Whether the context is in a file because it is known only later.
    var hasContextFile: Bool
  }

  /// A cached root. It is a class because every launch looks one up, and copying its content is slow.
  final class Entry: Sendable {
    /// The inputs of the root.
    let kind: Kind
    /// The root of the session for which it was planned.
    let root: SandboxRoot
    /// The items that all sessions of the kind share.
    private let common: CommonRoot
    /// The Landlock ruleset for the root, or `nil` without Landlock.
    let landlock: LandlockRuleset?
    /// The last reading of the mount table with which the root was valid.
    let mounts: MountTable.Reading
    /// The state of watching the root's path lookups.
    fileprivate let watching: WatchState

    /// Creates a cache entry.
    init(
      kind: Kind,
      root: SandboxRoot,
      landlock: LandlockRuleset?,
      mounts: MountTable.Reading,
      common: CommonRoot? = nil,
      watching: WatchState = .notYet
    ) {
      self.kind = kind
      self.root = root
      self.common = common ?? CommonRoot(root.items)
      self.landlock = landlock
      self.mounts = mounts
      self.watching = watching
    }

    /// Returns a copy with another watch state and mount table.
    fileprivate func watched(_ watching: WatchState, _ mounts: MountTable.Reading) -> Entry {
      Entry(kind: kind, root: root, landlock: landlock, mounts: mounts, common: common, watching: watching)
    }

    /// Returns the items in the root of a session of the kind.
    func contents(for session: LaunchPlanner.Session, scratchBytes: Int) -> SessionRoot {
      .shared(common, except: root.ownItems(for: session, scratchBytes: scratchBytes))
    }
  }

  /// The state of watching path lookups for changes.
  enum WatchState: Equatable, Sendable {
    /// The names are not watched yet; they are watched when the root is reused.
    case notYet
    /// The names are unchanged as long as ``NameWatch/changes`` has this value.
    case unchanged(UInt64)
    /// The names cannot be watched, so every lookup is repeated.
    case impossible
  }

  /// A host has few kinds of sessions at a time.
  private static let capacity = 16

  private let watch: NameWatch

  /// Creates an empty cache.
  init(watch: NameWatch = .shared) { self.watch = watch }

  /// The entries, most recently used first.
  private let known = Mutex<[Entry]>([])

  /// Returns the last root of a kind if it is still valid. `mounts` must be the current reading of the mount
  /// table.
  func root(of kind: Kind, mounts: MountTable.Reading) -> Entry? {
    guard let last = known.withLock({ $0.first { $0.kind.isSame(as: kind) } }), last.mounts.isSame(as: mounts)
    else { return nil }
    let isUndisturbed = last.mounts === mounts
    if isUndisturbed, last.watching == .unchanged(watch.changes) { return last }
    var watching = last.watching
    switch (watching, isUndisturbed) {
    case (.impossible, _): break
    // A file system that was mounted and unmounted may have covered watched names. If that happens often,
    // watching the names again takes longer than repeating the lookups.
    case (_, false): watching = .notYet
    // Watched before the lookups are repeated, so that no change is missed.
    case (_, true): watching = watch.watch(last.root.lookups) ? .unchanged(watch.changes) : .impossible
    }
    guard last.root.lookups.isCurrent else { return nil }
    if !isUndisturbed || last.watching != watching { keep(last.watched(watching, mounts)) }
    return last
  }

  /// Replaces the last root of its kind.
  func keep(_ root: Entry) {
    known.withLock { known in
      known.removeAll { $0.kind.isSame(as: root.kind) }
      known.insert(root, at: 0)
      if known.count > Self.capacity { known.removeLast() }
    }
  }
}

extension SandboxRootCache.Kind {
  /// Returns whether two kinds are the same for the kernel, which compares paths as bytes.
  func isSame(as other: Self) -> Bool {
    hasLibrary == other.hasLibrary && hasAssets == other.hasAssets && hasContextFile == other.hasContextFile
      && program.isSame(as: other.program) && shown.hasBytes(of: other.shown)
      && readOnly.isSame(as: other.readOnly) { $0.presence == $1.presence && $0.path.hasBytes(of: $1.path) }
      && devices.isSame(as: other.devices) { $0.value.hasBytes(of: $1.value) }
  }
}

extension LaunchTarget.Program {
  /// Returns whether two programs are the same for the kernel.
  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.bundled(let directory, _), .bundled(let otherDirectory, _)): directory.hasBytes(of: otherDirectory)
    case (.file(let path), .file(let otherPath)): path.hasBytes(of: otherPath)
    // A shown program does not affect the root, which contains it in any case.
    case (.shown, .shown): true
    default: false
    }
  }
}
