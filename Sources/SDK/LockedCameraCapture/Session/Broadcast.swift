// SPDX-License-Identifier: Apache-2.0

/// A changing value and the streams that follow it.
@MainActor
final class Broadcast<Value: Sendable> {
  private(set) var value: Value
  private var subscribers: [Int: AsyncStream<Value>.Continuation] = [:]
  private var lastSubscriber = 0
  private var isFinished = false

  init(_ value: Value) { self.value = value }

  /// Returns a stream of the current value and each later value, until ``finish()``.
  func values() -> AsyncStream<Value> {
    AsyncStream { continuation in
      continuation.yield(value)
      guard !isFinished else { return continuation.finish() }
      lastSubscriber += 1
      let number = lastSubscriber
      subscribers[number] = continuation
      continuation.onTermination = { _ in
        Task { @MainActor in self.subscribers[number] = nil }
      }
    }
  }

  /// Replaces the value and sends it to every stream.
  func send(_ value: Value) {
    self.value = value
    for (_, subscriber) in subscribers { subscriber.yield(value) }
  }

  /// Ends every stream.
  func finish() {
    isFinished = true
    let all = subscribers.values
    subscribers = [:]
    for subscriber in all { subscriber.finish() }
  }
}
