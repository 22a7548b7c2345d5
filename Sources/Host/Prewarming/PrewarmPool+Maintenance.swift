// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

extension PrewarmPool {
  /// Monitors the prewarmed sessions until the pool is closed.
  func run() {
    while true {
      let (watched, moment) = state.withLock { state in (state.slots.flatMap(\.watched), state.nextDeadline) }
      // A session that was taken meanwhile may wake this thread once needlessly.
      _ = try? Poller.wait(
        [(wakeup.rawValue, .readable)] + watched.map { ($0, .readable) },
        until: moment
      )
      _ = try? EventCounter.take(wakeup)
      let now = MonotonicClock.now
      retire(at: now)
      let (terminating, isClosed) = state.withLock { state in
        defer { state.terminating = [] }
        return (state.terminating, state.isClosed)
      }
      for slot in terminating { slot.drop() }
      if isClosed { return }
      if let recipe = state.withLock({ $0.nextRecipe(limits, at: now) }) { startExtension(recipe) }
    }
  }

  /// Removes the sessions that must not be launched any longer.
  private func retire(at now: UInt64) {
    // The lock is taken for each session, because a check takes time, and a launch must not wait for the
    // checks of all sessions.
    for slot in state.withLock({ $0.slots }) {
      state.withLock { $0.markForTermination { $0 === slot ? $0.fault(at: now) : nil } }
    }
  }

  /// Starts one session. If that fails, the next request decides whether it is tried again.
  private func startExtension(_ recipe: PrewarmRecipe) {
    let lifetime = UInt64(limits.lifetime * 1_000_000_000)
    let slot: PrewarmedExtension?
    do { slot = try PrewarmedExtension.prepare(recipe, planner, lifetime: lifetime) } catch {
      slot = nil
      report(recipe.key.extensionID, error)
    }
    state.withLock { state in
      let isWanted = state.wanted[recipe.key.extensionPath]?.recipe.key == recipe.key
      guard let slot else {
        if isWanted { state.wanted[recipe.key.extensionPath] = nil }
        return
      }
      state.slots.append(slot)
      state.reportedFaults[recipe.key.extensionID] = nil
      state.markForTermination { $0 === slot && !isWanted ? .changed : nil }
      while state.slots.count > limits.all, let oldest = state.slots.first {
        state.markForTermination { $0 === oldest ? .evicted : nil }
      }
    }
    wake()
  }
}

extension PrewarmPool.State {
  /// The time of the next check if no event arrives before.
  fileprivate var nextDeadline: UInt64? {
    (slots.map(\.nextDeadline) + wanted.values.compactMap(\.moment)).min()
  }

  /// Returns the recipe of the next session to start, or `nil` if none is due.
  fileprivate mutating func nextRecipe(_ limits: PrewarmPool.Limits, at now: UInt64) -> PrewarmRecipe? {
    for (place, entry) in wanted where entry.moment.map({ $0 <= now }) ?? false {
      if slots.count(where: { $0.key == entry.recipe.key }) < limits.each { return entry.recipe }
      wanted[place]?.moment = nil
    }
    return nil
  }
}
