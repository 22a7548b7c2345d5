// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The steps of a publication. After a crash at any step, either the old set or the new one is current.
package enum SharedAssetsStep: String, Sendable, CaseIterable {
  /// The leftovers of earlier crashes have been removed.
  case cleaned
  /// One more entry has been copied. No session uses the copy yet.
  case copying
  /// The copy is complete and durable. No session uses it yet.
  case copied
  /// The copy is the current set.
  case published
  /// The unused older sets have been removed.
  case finished
}

/// A set of files that an app has published for its extensions.
package struct SharedAssetsSet: Hashable, Sendable {
  /// The generation number. A newer set has a higher number.
  package var generation: Int64
  /// The number of files.
  package var files: Int64
  /// The sum of the file sizes in bytes.
  package var bytes: Int64
  /// The time of publication in milliseconds since 1970.
  package var publishedAt: Int64
  /// Whether new sessions use this set.
  package var isCurrent: Bool
  /// Whether a session is using this set.
  package var isInUse: Bool
}

/// The files that an app shares read-only with its extensions.
///
/// Each set is a directory in `apps/ID/assets` with a generation number as its name; the files are in its
/// subdirectory `files`. The set with the highest number is current. A set without `files` means that the app
/// shares nothing.
///
/// Sessions lock the numbered directory. An extension sees only `files`, so that its locks cannot block other
/// sessions or publications.
package struct SharedAssets: Sendable {
  /// The name prefix of incomplete sets.
  static let unfinishedPrefix = ".new-"
  /// The number of attempts to claim a set while publications replace it.
  private static let attempts = 200

  let app: AppStore
  private let limits: SharedAssetsLimits

  /// Creates the view of an app's shared files.
  package init(_ app: AppStore, limits: SharedAssetsLimits = SharedAssetsLimits()) {
    self.app = app
    self.limits = limits
  }

  /// Copies a directory and makes the copy the current set atomically.
  ///
  /// The source may contain anything; every entry is checked. It is not needed after the call. `observe` is
  /// called after each step, and with ``SharedAssetsStep/copying`` after each copied entry.
  package func publish(
    _ directory: String,
    observe: (SharedAssetsStep) -> Void = { _ in }
  ) throws(StoreError) -> SharedAssetsSet {
    let tree = try SharedAssetsTree(directory, of: app.id, limits)
    try rejectOverlap(directory, tree)
    _ = try tree.survey()
    try prepare()
    let lock = try lockDirectory(app.assetsDirectory)
    try removeLeftovers()
    // Publishers that died while they deleted a set have left it in the trash, and a set may be large.
    _ = try Trash(app.root).empty()
    observe(.cleaned)
    let generation = (try newest() ?? 0) + 1
    let temporary = "\(app.assetsDirectory)/\(Self.unfinishedPrefix)\(Randomness.hexadecimal(bytes: 8))"
    let tally: SharedAssetsTree.Tally
    do throws(StoreError) {
      tally = try copy(tree, to: temporary) { observe(.copying) }
      observe(.copied)
      try commit(temporary, as: generation)
    } catch {
      try? Trash(app.root).discard(temporary)
      throw error
    }
    observe(.published)
    try removeLeftovers()
    observe(.finished)
    _ = lock
    return SharedAssetsSet(
      generation: generation,
      files: tally.files,
      bytes: tally.bytes,
      publishedAt: WallClock.milliseconds,
      isCurrent: true,
      isInUse: false
    )
  }

  /// Stops sharing files. Sessions keep the sets that they use.
  ///
  /// - Returns: Whether files were shared before.
  package func clear() throws(StoreError) -> Bool {
    guard try newest() != nil else { return false }
    try prepare()
    let lock = try lockDirectory(app.assetsDirectory)
    guard let newest = try newest(), try exists(files(newest)) else {
      try removeLeftovers()
      return false
    }
    let temporary = "\(app.assetsDirectory)/\(Self.unfinishedPrefix)\(Randomness.hexadecimal(bytes: 8))"
    try system { () throws(SystemCallError) in try FileSystem.makeDirectory(temporary) }
    try commit(temporary, as: newest + 1)
    try removeLeftovers()
    _ = lock
    return true
  }

  /// Returns the sets, newest first.
  package func list() throws(StoreError) -> [SharedAssetsSet] {
    let newest = try newest()
    var sets: [SharedAssetsSet] = []
    for generation in try generations().reversed() {
      let directory = directory(generation)
      let status = try system { () throws(SystemCallError) in try FileSystem.status(directory) }
      // Only older sets are removed concurrently.
      guard let status, try exists(files(generation)) else { continue }
      let usage = try ContentMeter.measure(files(generation))
      sets.append(
        SharedAssetsSet(
          generation: generation,
          files: usage.files,
          bytes: usage.apparentBytes,
          publishedAt: status.modified / 1_000_000,
          isCurrent: generation == newest,
          isInUse: try isInUse(directory)
        )
      )
    }
    return sets
  }

  /// Returns a lease on the current set for a session. The lease has no path if the app shares no files.
  package func hold() throws(StoreError) -> HeldAssets {
    for _ in 0..<Self.attempts {
      guard let newest = try newest(), try exists(files(newest)) else { return HeldAssets() }
      if let hold = try claim(directory(newest), for: .use), try exists(directory(newest)) {
        return HeldAssets(path: files(newest), hold: hold)
      }
      // Either a newer set replaced this one, or another process holds the lock briefly to test whether the
      // set is in use.
      MonotonicClock.sleep(milliseconds: 5)
    }
    throw .assets(app: app.id, directory: app.assetsDirectory, .busy)
  }

  /// Removes older sets that no session uses, and the leftovers of dead publishers.
  ///
  /// Returns immediately if a publication is in progress, because that removes them, too.
  package func removeUnused() throws(StoreError) {
    guard try exists(app.assetsDirectory), let lock = try claim(app.assetsDirectory, for: .removal) else {
      return
    }
    try removeLeftovers()
    _ = lock
  }
}
