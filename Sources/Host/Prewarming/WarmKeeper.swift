// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import SessionStore
internal import Synchronization

/// Terminates prewarmed sessions when their configuration changes: when an app is updated or removed, or its
/// permissions change.
///
/// The supervisor checks the apps when a directory changes. The owner must close it (``close()``).
final class WarmKeeper: Sendable {
  /// The state that the callers and the thread share.
  private struct State {
    /// The file state of each monitored app at the last check.
    var followed: [AppStore: WarmPapers] = [:]
    /// Whether the supervisor is closed.
    var isClosed = false
  }

  private let pool: WarmPool
  private let ahead: WarmInstallations?
  private let state = Mutex(State())
  /// Wakes the thread.
  private let orders: Descriptor
  private let thread = Mutex<PlainThread?>(nil)

  /// The minimum interval between two checks, in nanoseconds. An app may write other files in the same
  /// directories.
  private static let pause: UInt64 = 20_000_000
  /// The polling interval if no change notifications are available, in nanoseconds.
  private static let interval: UInt64 = 2_000_000_000

  /// Starts to supervise a pool. `ahead` prewarms the installed extensions.
  init(_ pool: WarmPool, ahead: WarmInstallations?) throws(SystemCallError) {
    self.pool = pool
    self.ahead = ahead
    orders = try EventCounter.make()
    try thread.withLock { thread throws(SystemCallError) in
      thread = try PlainThread.start(name: "warm-keeper") { self.keep() }
    }
  }

  /// Monitors an app from now on.
  func follow(_ app: AppStore) {
    let isNew = state.withLock { state in
      guard state.followed[app] == nil else { return false }
      state.followed[app] = WarmPapers(app)
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

  private func wake() { try? EventCounter.add(to: orders) }
}

extension WarmKeeper {
  private func keep() {
    let notice = try? ChangeNotice(.atOnce)
    var known: Set<AppStore> = []
    while true {
      _ = try? EventCounter.take(orders)
      // Acknowledged before the check: a change between the two is reported again.
      let watched = directories
      let isTold = (try? notice?.acknowledge(watched)) != nil
      if state.withLock({ $0.isClosed }) { return }
      look(&known)
      _ = try? Poller.wait([(orders.rawValue, .readable)], until: MonotonicClock.now + Self.pause)
      // The directories of apps that this check found first are not watched yet.
      if directories != watched { continue }
      _ = try? Poller.wait(
        [(orders.rawValue, .readable), (isTold ? notice?.descriptor ?? -1 : -1, .readable)],
        until: isTold ? nil : MonotonicClock.now + Self.interval
      )
    }
  }

  private var directories: [String] {
    let apps = state.withLock { Array($0.followed.keys) }
    return Set(apps.flatMap(WarmPapers.directories) + (ahead?.directories ?? [])).sorted()
  }

  /// Terminates the sessions of changed apps. Prewarms the extensions of new and changed apps.
  ///
  /// - Parameter known: The apps that were checked before, which the function updates.
  private func look(_ known: inout Set<AppStore>) {
    let apps = Set(state.withLock { Array($0.followed.keys) }).union(ahead?.apps ?? [])
    var new: [AppStore] = []
    for app in apps.sorted(by: { $0.id < $1.id }) {
      // Recorded before the app is read: a later change is found by the next check.
      let papers = WarmPapers(app)
      let before = state.withLock { $0.followed.updateValue(papers, forKey: app) }
      if let before, before != papers { pool.drop(app) }
      if known.insert(app).inserted || before != papers { new.append(app) }
    }
    for app in new { ahead?.prepare(app, in: pool) }
  }
}
