// SPDX-License-Identifier: Apache-2.0

/// A changing value and the streams that follow it.
@MainActor
final class Broadcast<Value: Sendable> {
  private(set) var value: Value
  private var followers: [Int: AsyncStream<Value>.Continuation] = [:]
  private var lastFollower = 0
  private var isFinished = false

  init(_ value: Value) { self.value = value }

  /// Returns a stream of the current value and each later value, until ``finish()``.
  func values() -> AsyncStream<Value> {
    AsyncStream { continuation in
      continuation.yield(value)
      guard !isFinished else { return continuation.finish() }
      lastFollower += 1
      let number = lastFollower
      followers[number] = continuation
      continuation.onTermination = { _ in
        Task { @MainActor in self.followers[number] = nil }
      }
    }
  }

  /// Replaces the value and sends it to every stream.
  func send(_ value: Value) {
    self.value = value
    for (_, follower) in followers { follower.yield(value) }
  }

  /// Ends every stream.
  func finish() {
    isFinished = true
    let all = followers.values
    followers = [:]
    for follower in all { follower.finish() }
  }
}
