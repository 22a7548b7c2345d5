// SPDX-License-Identifier: Apache-2.0

/// The refusals of one session: equal ones folded, their number bounded, their rate watched.
package struct RefusalLedger: Sendable {
  /// What became of a refusal.
  package enum Verdict: Sendable, Hashable {
    /// It is new, and kept.
    case noted
    /// It is known already and was counted, or there is no room for it and it was counted with the omitted.
    case folded
    /// There are more than can be explained: the session should end.
    case flood
  }

  /// A refusal, and how often there was one like it.
  package struct Entry: Sendable, Hashable {
    /// The first of them.
    package var refusal: Refusal
    /// How many there were.
    package var count: Int
    /// When the first of them was noted, as a monotonic time in nanoseconds.
    package var since: UInt64
  }

  /// What makes two refusals alike.
  private struct Key: Hashable {
    var call: String
    var arguments: [String]
    var program: String
  }

  /// How many different ones are kept.
  package static let capacity = 256
  /// How many may come at once.
  package static let burst: UInt64 = 4096
  /// How many more may come in a second.
  package static let refillPerSecond: UInt64 = 512

  /// The refusals, in the order of the first of each kind.
  package private(set) var entries: [Entry] = []
  /// How many there were for which there was no room.
  package private(set) var omitted = 0
  /// How many there were in all.
  package private(set) var total = 0
  private var places: [Key: Int] = [:]
  private var tokens = burst
  private var refilled: UInt64?

  /// An empty ledger.
  package init() {}

  /// Takes a refusal; `now` is a monotonic time in nanoseconds.
  package mutating func add(_ refusal: Refusal, now: UInt64) -> Verdict {
    total += 1
    let isFlood = !takeToken(now)
    let key = Key(call: refusal.call, arguments: refusal.arguments.map(\.text), program: refusal.program)
    if let place = places[key] {
      entries[place].count += 1
    } else if entries.count < Self.capacity {
      places[key] = entries.count
      entries.append(Entry(refusal: refusal, count: 1, since: now))
      return isFlood ? .flood : .noted
    } else {
      omitted += 1
    }
    return isFlood ? .flood : .folded
  }

  /// Takes one from the bucket; false if it is empty.
  private mutating func takeToken(_ now: UInt64) -> Bool {
    let interval = 1_000_000_000 / Self.refillPerSecond
    let last = refilled ?? now
    // A time that goes back brings nothing, and takes nothing.
    let earned = now > last ? (now - last) / interval : 0
    let missing = Self.burst - tokens
    if earned >= missing {
      tokens = Self.burst
      refilled = max(now, last)
    } else {
      tokens += earned
      // What is left of an interval counts later: a slow drip is no loss.
      refilled = last + earned * interval
    }
    guard tokens > 0 else { return false }
    tokens -= 1
    return true
  }
}
