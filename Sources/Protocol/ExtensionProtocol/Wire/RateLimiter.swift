// SPDX-License-Identifier: Apache-2.0

/// A rate limiter for messages with a sustained rate and a burst size (token bucket).
package struct RateLimiter: Sendable {
  /// The nanoseconds in which one token accumulates.
  private let interval: UInt64
  /// The nanoseconds in which the empty bucket becomes full.
  private let capacity: UInt64
  /// The contents of the bucket, as the nanoseconds in which they accumulated.
  private var credit: UInt64
  /// The time of the last attempt to take a token.
  private var last: UInt64?

  /// Creates a full bucket.
  package init(
    perSecond: Int = ProtocolLimits.messagesPerSecond,
    burst: Int = ProtocolLimits.messageBurst
  ) {
    interval = 1_000_000_000 / UInt64(max(1, perSecond))
    capacity = interval * UInt64(max(1, burst))
    credit = capacity
  }

  /// Takes one token at the time `now`, in nanoseconds of a monotonic clock. Returns whether the bucket had a
  /// token.
  package mutating func admit(at now: UInt64) -> Bool {
    if let last, now > last {
      let (grown, overflow) = credit.addingReportingOverflow(now - last)
      credit = overflow ? capacity : min(capacity, grown)
    }
    last = max(now, last ?? 0)
    guard credit >= interval else { return false }
    credit -= interval
    return true
  }
}
