// SPDX-License-Identifier: Apache-2.0

internal import SessionStore
internal import Synchronization

// What a host does with its pool beside launching from it.
extension WarmPool {
  /// One that was taken is launched: there is nothing any more that could keep it from that.
  package func countLaunch() { state.withLock { $0.ends[.launched, default: 0] += 1 } }

  /// Takes one back that was taken and told nothing. It waits on, unless nothing like it is wanted any more.
  func giveBack(_ slot: WarmSlot) {
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.wanted[slot.key.place]?.recipe.key == slot.key else {
        state.ends[.dismissed, default: 0] += 1
        return false
      }
      state.slots.insert(slot, at: 0)
      return true
    }
    if isTaken { wake() } else { slot.drop() }
  }

  /// Ends what waits for an app's extensions, because something that it was started with has changed; nothing of the app's
  /// is started until it is asked for again.
  func drop(_ app: AppStore) {
    state.withLock { state in
      state.wanted = state.wanted.filter { $0.value.recipe.key.app != app }
      state.condemn { $0.key.app == app ? .changed : nil }
    }
    wake()
  }
}

extension WarmPool {
  /// Whether more extensions can wait than are wanted.
  var hasRoom: Bool { state.withLock { $0.wanted.count } < limits.all }
}
