// SPDX-License-Identifier: Apache-2.0

internal import SessionStore
internal import Synchronization

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
