// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// How many attempts have failed in a row, and when the last did.
struct AttemptRecord: Hashable {
  /// Attempts that failed, or were not decided, since the last that succeeded.
  var failures = 0
  /// When the last began: nanoseconds since the machine was started.
  var last: UInt64 = 0
  /// The name of the boot in which that was.
  var boot = ""

  /// How many failures there are before anybody has to wait.
  static let free = 5
  /// The longest wait in seconds.
  static let longest: UInt64 = 900

  /// The wait after so many failures, in seconds: 30 after five, then twice as long each time.
  static func wait(after failures: Int) -> UInt64 {
    guard failures >= free else { return 0 }
    return min(30 << UInt64(min(failures - free, 5)), longest)
  }

  /// How many seconds are left to wait. After a restart of the machine the wait begins with it: a restart is no way out.
  func secondsLeft(now: UInt64, boot: String) -> Int {
    let begin = self.boot == boot ? min(last, now) : 0
    let end = begin + Self.wait(after: failures) * 1_000_000_000
    return end > now ? Int((end - now + 999_999_999) / 1_000_000_000) : 0
  }

  /// The record as its file has it.
  var json: JSONValue {
    [
      "version": 1, "failures": .integer(Int64(failures)), "boot": .string(boot),
      "lastNanoseconds": .integer(Int64(clamping: last)),
    ]
  }
}

extension AttemptRecord {
  /// Understands a record; nil if it is none.
  init?(_ value: JSONValue) {
    guard value["version"] == 1, let failures = value["failures"]?.integer,
      (0...1_000_000).contains(failures),
      let boot = value["boot"]?.string, let last = value["lastNanoseconds"]?.integer, last >= 0
    else { return nil }
    self.init(failures: Int(failures), last: UInt64(last), boot: boot)
  }
}
