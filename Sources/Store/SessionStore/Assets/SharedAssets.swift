// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The points that a publication passes; after a crash at each of them the old set or the new one is current.
package enum SharedAssetsStep: String, Sendable, CaseIterable {
  /// What earlier crashes left behind is gone.
  case cleaned
  /// One more entry is in the copy, which nobody knows of.
  case copying
  /// The copy is complete and on the disk, and nobody knows of it.
  case copied
  /// The copy is the current set.
  case published
  /// The older sets that nobody uses are gone.
  case finished
}

/// One set of files that an app has published for its extensions.
package struct SharedAssetsSet: Hashable, Sendable {
  /// Its number; a newer set has a higher one.
  package var generation: Int64
  /// How many files there are.
  package var files: Int64
  /// The sum of their lengths.
  package var bytes: Int64
  /// When it was published, in milliseconds since 1970.
  package var publishedAt: Int64
  /// Whether the next session gets it.
  package var isCurrent: Bool
  /// Whether a session uses it now.
  package var isUsed: Bool
}

/// The files that an app shares with its extensions, which can only read them.
///
/// Below `apps/ID/assets` each set is a directory with a number, and the files are in its directory `files`; the highest
/// number is the current one. A number without files says that the app shares nothing any more. Sessions hold the
/// numbered directory, which an extension never sees: what it does to its own cannot hinder anybody.
package struct SharedAssets: Sendable {
  /// What the names begin with of sets that are not complete.
  static let unfinished = ".new-"
  /// How often a set is looked for that is being replaced just now.
  private static let attempts = 200

  let app: AppStore
  private let limits: SharedAssetsLimits

  /// The shared files of an app.
  package init(_ app: AppStore, limits: SharedAssetsLimits = SharedAssetsLimits()) {
    self.app = app
    self.limits = limits
  }

  /// Copies a directory and makes the copy the current set, wholly or not at all; the directory itself is not needed
  /// afterwards, and until it has been looked at nothing in it is trusted.
  ///
  /// `observe` is told each step after it is done; an entry that is copied is a step.
  package func publish(
    _ directory: String,
    observe: (SharedAssetsStep) -> Void = { _ in }
  ) throws(StoreError) -> SharedAssetsSet {
    let tree = try SharedAssetsTree(directory, of: app.id, limits)
    try refuseOwnPlace(directory, tree)
    _ = try tree.survey()
    try prepare()
    let lock = try lockDirectory(app.assetsDirectory)
    try removeLeftovers()
    // Who died while it deleted a set left that here, and a set may be large.
    _ = try Trash(app.root).empty()
    observe(.cleaned)
    let generation = (try newest() ?? 0) + 1
    let temporary = "\(app.assetsDirectory)/\(Self.unfinished)\(Randomness.hexadecimal(bytes: 8))"
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
      isUsed: false
    )
  }

  /// Shares nothing any more; says whether there was anything. Sessions that use a set keep it.
  package func clear() throws(StoreError) -> Bool {
    guard try newest() != nil else { return false }
    try prepare()
    let lock = try lockDirectory(app.assetsDirectory)
    guard let newest = try newest(), try isThere(files(newest)) else {
      try removeLeftovers()
      return false
    }
    let temporary = "\(app.assetsDirectory)/\(Self.unfinished)\(Randomness.hexadecimal(bytes: 8))"
    try system { () throws(SystemCallError) in try FileSystem.makeDirectory(temporary) }
    try commit(temporary, as: newest + 1)
    try removeLeftovers()
    _ = lock
    return true
  }

  /// The sets that are there, the newest first.
  package func list() throws(StoreError) -> [SharedAssetsSet] {
    let newest = try newest()
    var sets: [SharedAssetsSet] = []
    for generation in try generations().reversed() {
      let directory = directory(generation)
      let status = try system { () throws(SystemCallError) in try FileSystem.status(directory) }
      // One that is gone since was an older one.
      guard let status, try isThere(files(generation)) else { continue }
      let usage = try ContentMeter.measure(files(generation))
      sets.append(
        SharedAssetsSet(
          generation: generation,
          files: usage.files,
          bytes: usage.apparentBytes,
          publishedAt: status.modified / 1_000_000,
          isCurrent: generation == newest,
          isUsed: try isUsed(directory)
        )
      )
    }
    return sets
  }

  /// Keeps the current set for a session; without a path if the app shares nothing.
  package func hold() throws(StoreError) -> HeldAssets {
    for _ in 0..<Self.attempts {
      guard let newest = try newest(), try isThere(files(newest)) else { return HeldAssets() }
      if let hold = try claim(directory(newest), for: .use), try isThere(directory(newest)) {
        return HeldAssets(path: files(newest), hold: hold)
      }
      // It was removed since, because there is a newer one, or somebody only asks whether it is used.
      MonotonicClock.sleep(milliseconds: 5)
    }
    throw .assets(app: app.id, directory: app.assetsDirectory, .busy)
  }

  /// Removes the older sets that no session uses, and what publishers left that died. Who publishes does so, too:
  /// beside one nothing is done, and nobody waits.
  package func removeUnused() throws(StoreError) {
    guard try isThere(app.assetsDirectory), let lock = try claim(app.assetsDirectory, for: .removal) else {
      return
    }
    try removeLeftovers()
    _ = lock
  }
}
