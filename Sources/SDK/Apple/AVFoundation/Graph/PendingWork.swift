// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The work that an output finishes before the session ends. It may be used on any thread.
final class PendingWork: Sendable {
  private let state = Mutex(State())

  private struct State: Sendable {
    var count = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  init() {}

  /// Records the start of an operation.
  func begin() { state.withLock { $0.count += 1 } }

  /// Records the end of an operation.
  func end() {
    let finished: [CheckedContinuation<Void, Never>] = state.withLock { state in
      state.count -= 1
      guard state.count == 0 else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in finished { waiter.resume() }
  }

  /// Waits until no operation runs.
  func finished() async {
    await withCheckedContinuation { continuation in
      let isFinished = state.withLock { state in
        if state.count > 0 { state.waiters.append(continuation) }
        return state.count == 0
      }
      if isFinished { continuation.resume() }
    }
  }
}
