// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import LaunchPlanning
package import LinuxPrimitives
package import SessionStore
internal import Synchronization

/// Extensions that were started ahead, each in its sandbox, with an empty session directory and nothing of the person's,
/// waiting to be launched: each once, or never.
///
/// Whoever owns a pool has to close it (``close()``): until then its thread keeps it alive.
package final class WarmPool: Sendable {
  /// How much may wait.
  package struct Limits: Hashable, Sendable {
    /// How many extensions wait at once on this host.
    package var all = 4
    /// How many of them are for the same extension.
    package var each = 1
    /// How long one waits at most, in seconds.
    package var lifetime = 300.0
    /// How long after a launch the next one is started, in seconds, so that it takes nothing from what was launched.
    package var pause = 0.5

    /// What is standard.
    package init() {}
  }

  /// What the callers and the thread share.
  struct State {
    /// Those that wait, the oldest first.
    var slots: [WarmSlot] = []
    /// Those that shall end; the thread does it.
    var condemned: [WarmSlot] = []
    /// What is wanted, by extension, and when it is looked at whether it is there; nil: it is as it is wanted.
    var wanted: [String: (recipe: WarmRecipe, moment: UInt64?)] = [:]
    /// How many ended for which reason.
    var ends: [WarmEnd: Int] = [:]
    /// What was last told of each extension that could not be started.
    var told: [String: String] = [:]
    /// Whether everything is over.
    var isClosed = false

    /// Takes those away that a test finds a reason for.
    mutating func condemn(_ reason: (WarmSlot) -> WarmEnd?) {
      var left: [WarmSlot] = []
      for slot in slots {
        guard let end = reason(slot) else {
          left.append(slot)
          continue
        }
        ends[end, default: 0] += 1
        condemned.append(slot)
        forgo(slot.key, after: end)
      }
      slots = left
    }

    /// What was only too old is replaced. Whatever else ended would end in the same way again, and is not started until
    /// it is asked for: an extension that crashes would be started for ever.
    private mutating func forgo(_ key: WarmKey, after end: WarmEnd) {
      guard let wish = wanted[key.place], wish.recipe.key == key else { return }
      wanted[key.place] = end == .expired ? (wish.recipe, MonotonicClock.now) : nil
    }
  }

  package let planner: LaunchPlanner
  let limits: Limits
  let state = Mutex(State())
  /// Tells the thread that there is something to do.
  let orders: Descriptor
  /// Is told in a sentence what was not started.
  private let notice: @Sendable (String) -> Void
  private let thread = Mutex<PlainThread?>(nil)
  /// Watches the installed apps; `nil` until it is started.
  let keeper = Mutex<WarmKeeper?>(nil)

  /// Makes an empty pool for the extensions of a state root, with its host's planner if that has one. `notice` is told in a
  /// sentence, on any thread, what could not be started.
  package init(
    stateRoot: StateRoot,
    limits: Limits = Limits(),
    planner: LaunchPlanner? = nil,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(SystemCallError) {
    self.notice = notice
    self.planner = planner ?? LaunchPlanner(stateRoot: stateRoot)
    self.limits = limits
    orders = try EventCounter.make()
    try thread.withLock { thread throws(SystemCallError) in
      thread = try PlainThread.start(name: "warm-pool") { self.keep() }
    }
  }

  /// Starts what a request like this one could use, and goes on doing so after each launch, until that cannot be started
  /// any more. What waits for the same extension and fits no longer ends. Does nothing for an extension that cannot be
  /// started ahead.
  package func prepare(for request: SessionRequest) throws(SessionError) {
    var request = request
    request.room = try SessionRunner.room(for: request)
    let assets = try SessionRunner.holdAssets(request)
    let camera = try OpenedCamera.forWaiting(request)
    guard let recipe = WarmRecipe(request, assets: assets.path, camera: camera?.description) else { return }
    want(recipe, at: MonotonicClock.now)
  }

  /// Says why an extension is not started ahead, once for as long as the reason is the same; nothing of one that has changed
  /// meanwhile, or was removed, as whoever did that knows.
  func tell(_ extensionID: String, _ error: any Error) {
    if let fault = error as? WarmFault, fault != .restricted { return }
    let sentence = "\(extensionID) is not started ahead: \(error); it is started when it is launched"
    // Told outside the lock: standard error may have no room.
    if state.withLock({ $0.told.updateValue(sentence, forKey: extensionID) != sentence }) { notice(sentence) }
  }

  /// Wants this from a moment on, and nothing else for the same extension.
  func want(_ recipe: WarmRecipe, at moment: UInt64) {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.wanted[recipe.key.place] = (recipe, moment)
      state.condemn { $0.key.place == recipe.key.place && $0.key != recipe.key ? .changed : nil }
    }
    wake()
  }

  /// Takes one out that waits for this; nil: none does. It counts as launched when that is certain
  /// (``countLaunch()``), and waits on if it is given back (``giveBack(_:)``).
  func take(_ key: WarmKey) -> WarmSlot? {
    let found = state.withLock { state -> WarmSlot? in
      // The others of the extension can never be launched any more.
      state.condemn { $0.key.place == key.place && $0.key != key ? .changed : nil }
      while let index = state.slots.firstIndex(where: { $0.key == key }) {
        let slot = state.slots[index]
        let fault = slot.launchFault()
        state.condemn { $0 === slot ? fault : nil }
        guard fault == nil else { continue }
        state.slots.remove(at: index)
        return slot
      }
      return nil
    }
    wake()
    return found
  }

  /// Nothing waits any more, and nothing is started until it is asked for: what it was for may have changed.
  package func dropAll() {
    state.withLock { state in
      state.wanted = [:]
      state.condemn { _ in .dismissed }
    }
    wake()
  }

  /// Starts watching the installed apps. `ahead` are those that are prewarmed before their first launch.
  func startKeeper(ahead: WarmInstallations?) throws(SystemCallError) {
    let started = try WarmKeeper(self, ahead: ahead)
    keeper.withLock { $0 = started }
  }

  /// Ends everything that waits, and the threads.
  package func close() {
    keeper.withLock { $0.take() }?.close()
    // At once: the thread ends when it sees that all is over, and whatever was condemned after that nobody would end.
    state.withLock { state in
      state.isClosed = true
      state.wanted = [:]
      state.condemn { _ in .dismissed }
    }
    wake()
    thread.withLock { $0.take()?.join() }
  }

  /// The sessions that wait, the oldest first.
  package var waiting: [SessionID] { state.withLock { $0.slots.map(\.id) } }

  /// Whether nothing is about to be started, or to be ended.
  package var isSettled: Bool {
    state.withLock { $0.condemned.isEmpty && $0.wanted.values.allSatisfy { $0.moment == nil } }
  }

  /// How many that waited ended for which reason.
  package var ends: [WarmEnd: Int] { state.withLock { $0.ends } }

  func wake() { try? EventCounter.add(to: orders) }
}
