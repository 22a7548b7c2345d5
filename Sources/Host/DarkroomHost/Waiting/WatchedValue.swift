// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A value whose changes tasks can wait for without blocking a thread. Any thread can change the value.
final class WatchedValue<Value: Sendable>: Sendable {
  /// The value and the tasks that wait for it.
  private struct State: Sendable {
    var value: Value
    /// The number of changes.
    var version: UInt64 = 0
    var nextWaiter: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    /// The waiters that were cancelled before they had a continuation.
    var cancelled: Set<UInt64> = []
  }

  private let state: Mutex<State>

  /// Creates a value.
  init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The current value.
  var current: Value { state.withLock { $0.value } }

  /// Changes the value, and resumes all waiting tasks, which then check their conditions.
  @discardableResult
  func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    let (result, waiters) = state.withLock { state in
      let result = body(&state.value)
      state.version += 1
      let waiters = Array(state.waiters.values)
      state.waiters = [:]
      return (result, waiters)
    }
    for waiter in waiters { waiter.resume() }
    return result
  }

  /// Waits until `read` returns a value, which may change the state. Returns `nil` if the task is cancelled.
  func next<Result: Sendable>(_ read: (inout Value) -> Result?) async -> Result? {
    while true {
      let (found, version) = state.withLock { (read(&$0.value), $0.version) }
      if let found { return found }
      if Task.isCancelled { return nil }
      let waiter = state.withLock { state in
        state.nextWaiter += 1
        return state.nextWaiter
      }
      await withTaskCancellationHandler {
        await changed(since: version, waiter)
      } onCancel: {
        cancel(waiter)
      }
      _ = state.withLock { $0.cancelled.remove(waiter) }
    }
  }

  /// Waits until `read` returns a value, even if the task is cancelled.
  func nextUninterrupted<Result: Sendable>(_ read: (Value) -> Result?) async -> Result {
    while true {
      let (value, version) = state.withLock { ($0.value, $0.version) }
      if let found = read(value) { return found }
      let waiter = state.withLock { state in
        state.nextWaiter += 1
        return state.nextWaiter
      }
      await changed(since: version, waiter)
    }
  }

  /// Waits for a change after a version, or for the cancellation of the waiter.
  private func changed(since version: UInt64, _ waiter: UInt64) async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        guard state.version == version, !state.cancelled.contains(waiter) else { return true }
        state.waiters[waiter] = continuation
        return false
      }
      if isDue { continuation.resume() }
    }
  }

  private func cancel(_ waiter: UInt64) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if let continuation = state.waiters.removeValue(forKey: waiter) { return continuation }
      state.cancelled.insert(waiter)
      return nil
    }
    continuation?.resume()
  }
}
