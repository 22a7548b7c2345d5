// SPDX-License-Identifier: Apache-2.0

/// The one thing that becomes of a request that a task awaits: whatever comes first counts.
@MainActor
final class PendingReply<Value: Sendable> {
  private var resolved: Result<Value, AskFailure>?
  private var continuation: CheckedContinuation<Result<Value, AskFailure>, Never>?

  /// Suspends until it is known.
  func resolution() async -> Result<Value, AskFailure> {
    if let resolved { return resolved }
    return await withCheckedContinuation { continuation = $0 }
  }

  /// Makes it known; only the first call counts.
  func resolve(_ resolution: Result<Value, AskFailure>) {
    guard resolved == nil else { return }
    resolved = resolution
    continuation.take()?.resume(returning: resolution)
  }
}
