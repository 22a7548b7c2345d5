// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy
internal import Synchronization

/// The roots that a host has put together already, so that the next session of a kind has its own put together from it.
///
/// A root is used again only while nothing was mounted or unmounted since, and while every name of the host that it was
/// decided by is what it was: each is looked at again, but where ``NameWatch`` tells that none was changed. Whatever else
/// decides it is in its ``Kind``.
final class KnownRoots: Sendable {
  /// What roots of one kind have in common.
  struct Kind {
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

  /// A root of a kind.
  struct Known {
    /// The kind.
    var kind: Kind
    /// The root of the session that it was made for.
    var root: SandboxRoot
    /// What Landlock makes of it; nil where there is no Landlock.
    var landlock: LandlockRuleset?
    /// The reading of the table of mounts that it was made with.
    var mounts: MountTable.Reading
    /// Whether its names are watched.
    var watching = Watching.notYet
  }

  /// Whether names are watched.
  enum Watching: Equatable {
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
    guard var last = known.withLock({ $0.first { $0.kind.isSame(as: kind) } }), last.mounts === mounts else {
      return nil
    }
    if last.watching == .unchanged(watch.changes) { return last }
    let before = last.watching
    // Watched before they are looked at, so that no change is missed.
    if before != .impossible {
      last.watching = watch.watch(last.root.lookups) ? .unchanged(watch.changes) : .impossible
    }
    guard last.root.lookups.isCurrent else { return nil }
    if last.watching != before { keep(last) }
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
      && readOnly.count == other.readOnly.count && devices.count == other.devices.count
      && zip(readOnly, other.readOnly).allSatisfy {
        $0.presence == $1.presence && $0.path.hasBytes(of: $1.path)
      }
      && zip(devices, other.devices).allSatisfy { $0.value.hasBytes(of: $1.value) }
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
