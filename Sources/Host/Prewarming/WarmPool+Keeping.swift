// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

extension WarmPool {
  /// Monitors the prewarmed sessions until the pool is closed.
  func keep() {
    while true {
      let (watched, moment) = state.withLock { state in (state.slots.flatMap(\.watched), state.nextMoment) }
      // A session that was taken meanwhile may wake this thread once needlessly.
      _ = try? Poller.wait(
        [(orders.rawValue, .readable)] + watched.map { ($0, .readable) },
        until: moment
      )
      _ = try? EventCounter.take(orders)
      let now = MonotonicClock.now
      retire(at: now)
      let (condemned, isClosed) = state.withLock { state in
        defer { state.condemned = [] }
        return (state.condemned, state.isClosed)
      }
      for slot in condemned { slot.drop() }
      if isClosed { return }
      if let recipe = state.withLock({ $0.nextRecipe(limits, at: now) }) { fill(recipe) }
    }
  }

  /// Removes the sessions that must not be launched any longer.
  private func retire(at now: UInt64) {
    // The lock is taken for each session, because a check takes time, and a launch must not wait for the
    // checks of all sessions.
    for slot in state.withLock({ $0.slots }) {
      state.withLock { $0.condemn { $0 === slot ? $0.fault(at: now) : nil } }
    }
  }

  /// Starts one session. If that fails, the next request decides whether it is tried again.
  private func fill(_ recipe: WarmRecipe) {
    let lifetime = UInt64(limits.lifetime * 1_000_000_000)
    let slot: WarmSlot?
    do { slot = try WarmSlot.prepare(recipe, planner, lifetime: lifetime) } catch {
      slot = nil
      tell(recipe.key.extensionID, error)
    }
    state.withLock { state in
      let isWanted = state.wanted[recipe.key.place]?.recipe.key == recipe.key
      guard let slot else {
        if isWanted { state.wanted[recipe.key.place] = nil }
        return
      }
      state.slots.append(slot)
      state.told[recipe.key.extensionID] = nil
      state.condemn { $0 === slot && !isWanted ? .changed : nil }
      while state.slots.count > limits.all, let oldest = state.slots.first {
        state.condemn { $0 === oldest ? .evicted : nil }
      }
    }
    wake()
  }
}

extension WarmPool.State {
  /// The time of the next check if no event arrives before.
  fileprivate var nextMoment: UInt64? {
    (slots.map(\.nextMoment) + wanted.values.compactMap(\.moment)).min()
  }

  /// Returns the recipe of the next session to start, or `nil` if none is due.
  fileprivate mutating func nextRecipe(_ limits: WarmPool.Limits, at now: UInt64) -> WarmRecipe? {
    for (place, wish) in wanted where wish.moment.map({ $0 <= now }) ?? false {
      if slots.count(where: { $0.key == wish.recipe.key }) < limits.each { return wish.recipe }
      wanted[place]?.moment = nil
    }
    return nil
  }
}
