// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The files that a root shows of the host, looked at again only where a name on the way to one of them may have changed.
/// What is mounted on the way has to be noticed by others.
struct WatchedFiles {
  private let files: ShownFiles
  /// The ways to them; nil: they are not watched.
  private var ways: PathLookups?
  /// As long as this is the number of ``NameWatch/changes``, the ways are what they were.
  private var unchanged: UInt64?

  /// Looks where the paths of a root lead; nil if one is not there.
  init?(_ root: [RootItem]) {
    var ways = PathLookups()
    let areKnown = ShownFiles.paths(root).allSatisfy { (try? ways.resolve($0)) != nil }
    guard let files = ShownFiles(root) else { return nil }
    self.files = files
    self.ways = areKnown ? ways : nil
  }

  /// Whether the paths lead to the same files now.
  mutating func areCurrent() -> Bool {
    let watch = NameWatch.shared
    if let unchanged, unchanged == watch.changes { return true }
    unchanged = nil
    // Watched before they are looked at, so that no change is missed.
    if let ways, !watch.watch(ways) { self.ways = nil }
    let now = watch.changes
    guard files.isCurrent else { return false }
    // Other ways can lead to the same files.
    if let ways, ways.isCurrent { unchanged = now }
    return true
  }
}
