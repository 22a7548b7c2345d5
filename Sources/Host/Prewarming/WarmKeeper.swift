// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import SessionStore
internal import Synchronization

/// Sees to it that nothing waits on that was started with what is no more: at the moment at which an app is updated or
/// removed, or is allowed more or less, and not only when somebody wants to launch its extension.
///
/// It looks when something happens in one of the directories. Whoever owns it has to close it (``close()``).
final class WarmKeeper: Sendable {
  /// What the callers and the thread share.
  private struct State {
    /// The papers of each app of which something waits or has waited, as they were at the last look.
    var followed: [AppStore: WarmPapers] = [:]
    /// Whether everything is over.
    var isClosed = false
  }

  private let pool: WarmPool
  private let ahead: WarmInstallations?
  private let state = Mutex(State())
  /// Tells the thread that there is something to do.
  private let orders: Descriptor
  private let thread = Mutex<PlainThread?>(nil)

  /// How long after a look the next one is at the earliest, in nanoseconds: an app may write beside its papers.
  private static let pause: UInt64 = 20_000_000
  /// How often it looks where it is told of nothing, in nanoseconds.
  private static let interval: UInt64 = 2_000_000_000

  /// Begins to look after a pool; `ahead` is what it starts without being asked.
  init(_ pool: WarmPool, ahead: WarmInstallations?) throws(SystemCallError) {
    self.pool = pool
    self.ahead = ahead
    orders = try EventCounter.make()
    try thread.withLock { thread throws(SystemCallError) in
      thread = try PlainThread.start(name: "warm-keeper") { self.keep() }
    }
  }

  /// Looks after an app from now on.
  func follow(_ app: AppStore) {
    let isNew = state.withLock { state in
      guard state.followed[app] == nil else { return false }
      state.followed[app] = WarmPapers(app)
      return true
    }
    if isNew { wake() }
  }

  /// Ends the thread.
  func close() {
    state.withLock { $0.isClosed = true }
    wake()
    thread.withLock { $0.take()?.join() }
  }

  private func wake() { try? EventCounter.add(to: orders) }
}

// The thread's side.
extension WarmKeeper {
  private func keep() {
    let notice = try? ChangeNotice(.atOnce)
    var known: Set<AppStore> = []
    while true {
      _ = try? EventCounter.take(orders)
      // Before the look: what changes between the two is reported again.
      let watched = directories
      let isTold = (try? notice?.acknowledge(watched)) != nil
      if state.withLock({ $0.isClosed }) { return }
      look(&known)
      _ = try? Poller.wait([(orders.rawValue, .readable)], until: MonotonicClock.now + Self.pause)
      // Apps that this look was the first to see have directories that nobody watches yet.
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

  /// Ends what was started for other papers, and starts what is `known` from now on, or has other papers.
  private func look(_ known: inout Set<AppStore>) {
    let apps = Set(state.withLock { Array($0.followed.keys) }).union(ahead?.apps ?? [])
    var new: [AppStore] = []
    for app in apps.sorted(by: { $0.id < $1.id }) {
      // Before anything is read of the app: what changes after this is seen by the next look.
      let papers = WarmPapers(app)
      let before = state.withLock { $0.followed.updateValue(papers, forKey: app) }
      if let before, before != papers { pool.drop(app) }
      if known.insert(app).inserted || before != papers { new.append(app) }
    }
    for app in new { ahead?.prepare(app, in: pool) }
  }
}
