// SPDX-License-Identifier: Apache-2.0

/// A value that changes, and everybody who follows it.
@MainActor
final class Broadcast<Value: Sendable> {
  private(set) var value: Value
  private var followers: [Int: AsyncStream<Value>.Continuation] = [:]
  private var lastFollower = 0
  private var isFinished = false

  init(_ value: Value) { self.value = value }

  /// The value as it is now, then every one that follows it, until ``finish()``.
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

  /// Replaces the value.
  func send(_ value: Value) {
    self.value = value
    for (_, follower) in followers { follower.yield(value) }
  }

  /// Says that it will not change any more.
  func finish() {
    isFinished = true
    let all = followers.values
    followers = [:]
    for follower in all { follower.finish() }
  }
}
