// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The host's files that a root shows. They are checked again only if a name on their paths may have changed.
/// Changes of mounts must be detected by the caller.
struct WatchedFiles {
  private let files: ShownFiles
  /// The lookups of their paths, or `nil` if they are not watched.
  private var lookups: PathLookups?
  /// While ``NameWatch/changes`` has this value, the lookups are unchanged.
  private var unchanged: UInt64?

  /// Reads the files that a root shows, or returns `nil` if one does not exist.
  init?(_ root: [RootItem]) {
    var lookups = PathLookups()
    let areKnown = ShownFiles.paths(root).allSatisfy { (try? lookups.resolve($0)) != nil }
    guard let files = ShownFiles(root) else { return nil }
    self.files = files
    self.lookups = areKnown ? lookups : nil
  }

  /// Returns whether all paths still lead to the same files.
  mutating func areCurrent() -> Bool {
    let watch = NameWatch.shared
    if let unchanged, unchanged == watch.changes { return true }
    unchanged = nil
    // Watch before checking, so that no change is missed.
    if let lookups, !watch.watch(lookups) { self.lookups = nil }
    let now = watch.changes
    guard files.isCurrent else { return false }
    // Changed lookups can lead to the same files.
    if let lookups, lookups.isCurrent { unchanged = now }
    return true
  }
}
