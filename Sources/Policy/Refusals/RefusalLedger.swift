// SPDX-License-Identifier: Apache-2.0

/// The refusals of one session. Equal refusals are counted together, the number of entries is bounded, and
/// the rate is limited.
package struct RefusalLedger: Sendable {
  /// The result of adding a refusal.
  package enum Verdict: Sendable, Hashable {
    /// The refusal is a new entry.
    case recorded
    /// The refusal was counted in an existing entry, or as omitted because the ledger is full.
    case aggregated
    /// The rate exceeds the limit, so the session should be terminated.
    case flood
  }

  /// A refusal with the number of equal refusals.
  package struct Entry: Sendable, Hashable {
    /// The first of the equal refusals.
    package var refusal: Refusal
    /// The number of equal refusals.
    package var count: Int
    /// The monotonic time of the first refusal, in nanoseconds.
    package var firstTimestamp: UInt64
  }

  /// The properties that equal refusals share.
  private struct Key: Hashable {
    var call: String
    var arguments: [String]
    var program: String
  }

  /// The maximum number of entries.
  package static let capacity = 256
  /// The maximum number of refusals in a burst.
  package static let burst: UInt64 = 4096
  /// The sustained number of refusals per second.
  package static let refillPerSecond: UInt64 = 512

  /// The entries, in the order of their first refusals.
  package private(set) var entries: [Entry] = []
  /// The number of refusals that were omitted because the ledger was full.
  package private(set) var omitted = 0
  /// The number of all refusals.
  package private(set) var total = 0
  private var indices: [Key: Int] = [:]
  private var tokens = burst
  private var refilled: UInt64?

  /// Creates an empty ledger.
  package init() {}

  /// Adds a refusal; `now` is a monotonic time in nanoseconds.
  package mutating func add(_ refusal: Refusal, now: UInt64) -> Verdict {
    total += 1
    let isFlood = !takeToken(now)
    let key = Key(call: refusal.call, arguments: refusal.arguments.map(\.text), program: refusal.program)
    if let index = indices[key] {
      entries[index].count += 1
    } else if entries.count < Self.capacity {
      indices[key] = entries.count
      entries.append(Entry(refusal: refusal, count: 1, firstTimestamp: now))
      return isFlood ? .flood : .recorded
    } else {
      omitted += 1
    }
    return isFlood ? .flood : .aggregated
  }

  /// Takes a token from the bucket, and returns `false` if the bucket is empty.
  private mutating func takeToken(_ now: UInt64) -> Bool {
    let interval = 1_000_000_000 / Self.refillPerSecond
    let last = refilled ?? now
    // A time before the last refill adds and removes no tokens.
    let earned = now > last ? (now - last) / interval : 0
    let missing = Self.burst - tokens
    if earned >= missing {
      tokens = Self.burst
      refilled = max(now, last)
    } else {
      tokens += earned
      // The rest of an interval counts later, so frequent calls lose no tokens.
      refilled = last + earned * interval
    }
    guard tokens > 0 else { return false }
    tokens -= 1
    return true
  }
}
