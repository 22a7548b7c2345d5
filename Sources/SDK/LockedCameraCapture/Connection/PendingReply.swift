// SPDX-License-Identifier: Apache-2.0

/// The reply to a request that a task awaits; it is resolved by the first result, error or cancellation.
@MainActor
final class PendingReply<Value: Sendable> {
  private var resolved: Result<Value, RequestFailure>?
  private var continuation: CheckedContinuation<Result<Value, RequestFailure>, Never>?

  /// Suspends until the reply is resolved.
  func resolution() async -> Result<Value, RequestFailure> {
    if let resolved { return resolved }
    return await withCheckedContinuation { continuation = $0 }
  }

  /// Resolves the reply; later calls have no effect.
  func resolve(_ resolution: Result<Value, RequestFailure>) {
    guard resolved == nil else { return }
    resolved = resolution
    continuation.take()?.resume(returning: resolution)
  }
}
