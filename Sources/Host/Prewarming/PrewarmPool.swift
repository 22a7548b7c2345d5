// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import LaunchPlanning
package import LinuxPrimitives
package import SessionStore
internal import Synchronization

/// A pool of extensions that were started in their sandboxes before a launch, each for one session.
///
/// A prewarmed session has an empty session directory and no data of the user. The owner must close the pool
/// (``close()``), because its thread retains it.
package final class PrewarmPool: Sendable {
  /// The limits of a pool.
  package struct Limits: Hashable, Sendable {
    /// The maximum number of prewarmed extensions on this host.
    package var all = 4
    /// The maximum number of prewarmed sessions of one extension.
    package var each = 1
    /// The maximum age of a prewarmed session, in seconds.
    package var lifetime = 300.0
    /// The delay between a launch and the start of its replacement, in seconds, so that the two do not
    /// compete for resources.
    package var pause = 0.5

    /// Creates the default limits.
    package init() {}
  }

  /// The state that the callers and the thread share.
  struct State {
    /// The prewarmed sessions, the oldest first.
    var slots: [PrewarmedExtension] = []
    /// The sessions that the thread terminates next.
    var terminating: [PrewarmedExtension] = []
    /// The wanted sessions by extension, with the time of the next check, or `nil` if the number is
    /// sufficient.
    var wanted: [String: (recipe: PrewarmRecipe, moment: UInt64?)] = [:]
    /// The number of sessions that are no longer prewarmed, by reason.
    var ends: [PrewarmEndReason: Int] = [:]
    /// The last reported fault of each extension.
    var reportedFaults: [String: String] = [:]
    /// Whether the pool is closed.
    var isClosed = false

    /// Marks the sessions for which a function returns a reason for termination.
    mutating func markForTermination(_ reason: (PrewarmedExtension) -> PrewarmEndReason?) {
      var left: [PrewarmedExtension] = []
      for slot in slots {
        guard let end = reason(slot) else {
          left.append(slot)
          continue
        }
        ends[end, default: 0] += 1
        terminating.append(slot)
        updateWanted(slot.key, after: end)
      }
      slots = left
    }

    /// Replaces a session that has expired. A session that ended for another reason, such as a crash, would
    /// end in the same way again. It is started only at the next request.
    private mutating func updateWanted(_ key: PrewarmKey, after end: PrewarmEndReason) {
      guard let entry = wanted[key.extensionPath], entry.recipe.key == key else { return }
      wanted[key.extensionPath] = end == .expired ? (entry.recipe, MonotonicClock.now) : nil
    }
  }

  package let planner: LaunchPlanner
  let limits: Limits
  let state = Mutex(State())
  /// Wakes the thread.
  let wakeup: Descriptor
  /// Receives a message about each extension that could not be prewarmed.
  private let notice: @Sendable (String) -> Void
  private let thread = Mutex<PlainThread?>(nil)
  /// Watches the installed apps; `nil` until it is started.
  let supervisor = Mutex<PrewarmSupervisor?>(nil)

  /// Creates an empty pool for the extensions of a state directory.
  ///
  /// - Parameters:
  ///   - stateRoot: The state directory.
  ///   - limits: The limits of the pool.
  ///   - planner: The planner of the host, or `nil` for a new one.
  ///   - notice: Receives, on any thread, a message about each extension that could not be prewarmed.
  /// - Throws: An error if the thread could not be started.
  package init(
    stateRoot: StateRoot,
    limits: Limits = Limits(),
    planner: LaunchPlanner? = nil,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(SystemCallError) {
    self.notice = notice
    self.planner = planner ?? LaunchPlanner(stateRoot: stateRoot)
    self.limits = limits
    wakeup = try EventCounter.make()
    try thread.withLock { thread throws(SystemCallError) in
      thread = try PlainThread.start(name: "warm-pool") { self.run() }
    }
  }

  /// Prewarms a session for a request like this one, and a replacement after each launch, until a start
  /// fails.
  ///
  /// Sessions of the same extension with another configuration are terminated. Nothing happens if the
  /// extension cannot be prewarmed.
  package func prepare(for request: SessionRequest) throws(SessionError) {
    var request = request
    request.quota = try SessionRunner.quota(for: request)
    let assets = try SessionRunner.holdAssets(request)
    let camera = try OpenedCamera.openForPrewarming(request)
    guard let recipe = PrewarmRecipe(request, assets: assets.path, camera: camera?.description) else {
      return
    }
    schedule(recipe, at: MonotonicClock.now)
  }

  /// Reports why an extension cannot be prewarmed, once for each reason. Changes and removals during the
  /// start are not reported.
  func report(_ extensionID: String, _ error: any Error) {
    if let fault = error as? PrewarmError, fault != .restricted { return }
    let sentence = "\(extensionID) cannot be prewarmed: \(error); its launches start cold"
    // Called outside the lock, because writing to standard error may block.
    if state.withLock({ $0.reportedFaults.updateValue(sentence, forKey: extensionID) != sentence }) {
      notice(sentence)
    }
  }

  /// Schedules a session for `moment`, and removes the other sessions of the same extension.
  func schedule(_ recipe: PrewarmRecipe, at moment: UInt64) {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.wanted[recipe.key.extensionPath] = (recipe, moment)
      state.markForTermination {
        $0.key.extensionPath == recipe.key.extensionPath && $0.key != recipe.key ? .changed : nil
      }
    }
    wake()
  }

  /// Takes a session with this key out of the pool, or returns `nil` if there is none.
  ///
  /// Call ``countLaunch()`` when the session is launched, or ``giveBack(_:)`` if it is not.
  func take(_ key: PrewarmKey) -> PrewarmedExtension? {
    let found = state.withLock { state -> PrewarmedExtension? in
      // The other sessions of the extension can never be launched.
      state.markForTermination { $0.key.extensionPath == key.extensionPath && $0.key != key ? .changed : nil }
      while let index = state.slots.firstIndex(where: { $0.key == key }) {
        let slot = state.slots[index]
        let fault = slot.launchFault()
        state.markForTermination { $0 === slot ? fault : nil }
        guard fault == nil else { continue }
        state.slots.remove(at: index)
        return slot
      }
      return nil
    }
    wake()
    return found
  }

  /// Terminates all sessions. No session is started until the next request, because the configuration may
  /// have changed.
  package func dropAll() {
    state.withLock { state in
      state.wanted = [:]
      state.markForTermination { _ in .dismissed }
    }
    wake()
  }

  /// Starts watching the installed apps. `ahead` are those that are prewarmed before their first launch.
  func startSupervisor(ahead: InstalledExtensionPrewarmer?) throws(SystemCallError) {
    let started = try PrewarmSupervisor(self, ahead: ahead)
    supervisor.withLock { $0 = started }
  }

  /// Terminates all sessions, and stops the threads.
  package func close() {
    supervisor.withLock { $0.take() }?.close()
    // In one step: the thread exits when it sees that the pool is closed, and would not terminate sessions
    // that are marked later.
    state.withLock { state in
      state.isClosed = true
      state.wanted = [:]
      state.markForTermination { _ in .dismissed }
    }
    wake()
    thread.withLock { $0.take()?.join() }
  }

  /// The IDs of the prewarmed sessions, the oldest first.
  package var prewarmedSessions: [SessionID] { state.withLock { $0.slots.map(\.id) } }

  /// Whether no session is about to be started or terminated.
  package var isIdle: Bool {
    state.withLock { $0.terminating.isEmpty && $0.wanted.values.allSatisfy { $0.moment == nil } }
  }

  /// The number of sessions that are no longer prewarmed, by reason.
  package var ends: [PrewarmEndReason: Int] { state.withLock { $0.ends } }

  /// Wakes the thread.
  func wake() { try? EventCounter.add(to: wakeup) }
}

extension PrewarmPool {
  /// Counts a taken session as launched, after the last step that could fail.
  package func countLaunch() { state.withLock { $0.ends[.launched, default: 0] += 1 } }

  /// Returns a session that was taken but not launched. The session is terminated if no request wants it any
  /// longer.
  func giveBack(_ slot: PrewarmedExtension) {
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.wanted[slot.key.extensionPath]?.recipe.key == slot.key else {
        state.ends[.dismissed, default: 0] += 1
        return false
      }
      state.slots.insert(slot, at: 0)
      return true
    }
    if isTaken { wake() } else { slot.drop() }
  }

  /// Terminates the prewarmed sessions of an app after a change of its configuration. They are replaced at
  /// the next request.
  func drop(_ app: AppStore) {
    state.withLock { state in
      state.wanted = state.wanted.filter { $0.value.recipe.key.app != app }
      state.markForTermination { $0.key.app == app ? .changed : nil }
    }
    wake()
  }
}

extension PrewarmPool {
  /// Whether the pool can hold another extension.
  var hasCapacity: Bool { state.withLock { $0.wanted.count } < limits.all }
}
