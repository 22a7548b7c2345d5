// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The number of consecutive failed attempts, and the time of the last one.
struct AttemptRecord: Hashable {
  /// The number of failed or undecided attempts since the last success.
  var failures = 0
  /// The start of the last attempt, in nanoseconds since boot.
  var last: UInt64 = 0
  /// The ID of the boot of the last attempt.
  var boot = ""

  /// The number of failures without a waiting time.
  static let freeAttempts = 5
  /// The maximum waiting time, in seconds.
  static let maximumWait: UInt64 = 900

  /// Returns the waiting time after a number of failures in seconds: 30 after five failures, doubled for each
  /// further one.
  static func wait(after failures: Int) -> UInt64 {
    guard failures >= freeAttempts else { return 0 }
    return min(30 << UInt64(min(failures - freeAttempts, 5)), maximumWait)
  }

  /// Returns the remaining waiting time in seconds. After a reboot the full waiting time starts again, so
  /// that a reboot does not shorten it.
  func secondsLeft(now: UInt64, boot: String) -> Int {
    let begin = self.boot == boot ? min(last, now) : 0
    let end = begin + Self.wait(after: failures) * 1_000_000_000
    return end > now ? Int((end - now + 999_999_999) / 1_000_000_000) : 0
  }

  /// The record as JSON.
  var json: JSONValue {
    [
      "version": 1, "failures": .integer(Int64(failures)), "boot": .string(boot),
      "lastNanoseconds": .integer(Int64(clamping: last)),
    ]
  }
}

extension AttemptRecord {
  /// Creates a record from JSON, or returns `nil` if it is not valid.
  init?(_ value: JSONValue) {
    guard value["version"] == 1, let failures = value["failures"]?.integer,
      (0...1_000_000).contains(failures),
      let boot = value["boot"]?.string, let last = value["lastNanoseconds"]?.integer, last >= 0
    else { return nil }
    self.init(failures: Int(failures), last: UInt64(last), boot: boot)
  }
}
