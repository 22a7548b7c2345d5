// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The one thing that becomes of a request that a task awaits: whatever comes first counts.
@MainActor
final class PendingReply {
  /// What has become of a request.
  enum Resolution: Sendable {
    /// The host has answered.
    case outcome(Reply.Outcome)
    /// The task was cancelled.
    case cancelled
    /// The session has ended.
    case over
  }

  private var resolved: Resolution?
  private var continuation: CheckedContinuation<Resolution, Never>?

  /// Suspends until it is known.
  func resolution() async -> Resolution {
    if let resolved { return resolved }
    return await withCheckedContinuation { continuation = $0 }
  }

  /// Makes it known; only the first call counts.
  func resolve(_ resolution: Resolution) {
    guard resolved == nil else { return }
    resolved = resolution
    continuation.take()?.resume(returning: resolution)
  }
}
