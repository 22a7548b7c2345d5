// SPDX-License-Identifier: Apache-2.0

/// Lets so many messages a second through in the long run, and a burst after a pause (a token bucket).
package struct RateLimiter: Sendable {
  /// Nanoseconds in which one token grows.
  private let interval: UInt64
  /// Nanoseconds in which the empty bucket becomes full.
  private let capacity: UInt64
  /// What is in the bucket, as the time in which it grew.
  private var credit: UInt64
  /// When something was last taken or refused.
  private var last: UInt64?

  /// Makes a full bucket.
  package init(
    perSecond: Int = ProtocolLimits.messagesPerSecond,
    burst: Int = ProtocolLimits.messageBurst
  ) {
    interval = 1_000_000_000 / UInt64(max(1, perSecond))
    capacity = interval * UInt64(max(1, burst))
    credit = capacity
  }

  /// Takes one token at the time `now`, in nanoseconds of a clock that never jumps; false if there is none.
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
