// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import SessionStore
internal import Synchronization

/// Terminates prewarmed sessions when their configuration changes: when an app is updated or removed, or its
/// permissions change.
///
/// The supervisor checks the apps when a directory changes. The owner must close it (``close()``).
final class PrewarmSupervisor: Sendable {
  /// The state that the callers and the thread share.
  private struct State {
    /// The file state of each monitored app at the last check.
    var monitored: [AppStore: AppFileState] = [:]
    /// Whether the supervisor is closed.
    var isClosed = false
  }

  private let pool: PrewarmPool
  private let ahead: InstalledExtensionPrewarmer?
  private let state = Mutex(State())
  /// Wakes the thread.
  private let wakeup: Descriptor
  private let thread = Mutex<PlainThread?>(nil)

  /// The minimum interval between two checks, in nanoseconds. An app may write other files in the same
  /// directories.
  private static let pause: UInt64 = 20_000_000
  /// The polling interval if no change notifications are available, in nanoseconds.
  private static let interval: UInt64 = 2_000_000_000

  /// Starts to supervise a pool. `ahead` prewarms the installed extensions.
  init(_ pool: PrewarmPool, ahead: InstalledExtensionPrewarmer?) throws(SystemCallError) {
    self.pool = pool
    self.ahead = ahead
    wakeup = try EventCounter.make()
    try thread.withLock { thread throws(SystemCallError) in
      thread = try PlainThread.start(name: "warm-keeper") { self.run() }
    }
  }

  /// Monitors an app from now on.
  func monitor(_ app: AppStore) {
    let isNew = state.withLock { state in
      guard state.monitored[app] == nil else { return false }
      state.monitored[app] = AppFileState(app)
      return true
    }
    if isNew { wake() }
  }

  /// Stops the thread.
  func close() {
    state.withLock { $0.isClosed = true }
    wake()
    thread.withLock { $0.take()?.join() }
  }

  private func wake() { try? EventCounter.add(to: wakeup) }
}

extension PrewarmSupervisor {
  private func run() {
    let notice = try? ChangeNotifier(.immediate)
    var known: Set<AppStore> = []
    while true {
      _ = try? EventCounter.take(wakeup)
      // Acknowledged before the check: a change between the two is reported again.
      let watched = directories
      let isWatching = (try? notice?.acknowledge(watched)) != nil
      if state.withLock({ $0.isClosed }) { return }
      checkApps(&known)
      _ = try? Poller.wait([(wakeup.rawValue, .readable)], until: MonotonicClock.now + Self.pause)
      // The directories of apps that this check found first are not watched yet.
      if directories != watched { continue }
      _ = try? Poller.wait(
        [(wakeup.rawValue, .readable), (isWatching ? notice?.descriptor ?? -1 : -1, .readable)],
        until: isWatching ? nil : MonotonicClock.now + Self.interval
      )
    }
  }

  private var directories: [String] {
    let apps = state.withLock { Array($0.monitored.keys) }
    return Set(apps.flatMap(AppFileState.directories) + (ahead?.directories ?? [])).sorted()
  }

  /// Terminates the sessions of changed apps. Prewarms the extensions of new and changed apps.
  ///
  /// - Parameter known: The apps that were checked before, which the function updates.
  private func checkApps(_ known: inout Set<AppStore>) {
    let apps = Set(state.withLock { Array($0.monitored.keys) }).union(ahead?.apps ?? [])
    var new: [AppStore] = []
    for app in apps.sorted(by: { $0.id < $1.id }) {
      // Recorded before the app is read: a later change is found by the next check.
      let papers = AppFileState(app)
      let before = state.withLock { $0.monitored.updateValue(papers, forKey: app) }
      if let before, before != papers { pool.drop(app) }
      if known.insert(app).inserted || before != papers { new.append(app) }
    }
    for app in new { ahead?.prewarm(app, in: pool) }
  }
}
