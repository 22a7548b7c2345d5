// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// How long tests wait for what has to come.
///
/// Only a test that fails waits as long as that. It is longer than a machine stands still that runs all tests at once, some
/// of which take all of its processors and its disk.
package enum TestPatience {
  /// In seconds.
  package static let seconds = 180

  /// When a test that begins to wait now gives up (``MonotonicClock``).
  package static var deadline: UInt64 { MonotonicClock.now + UInt64(seconds) * 1_000_000_000 }

  /// Looks again and again until something is so, or patience ends; whether it came to be.
  package static func comes(
    within seconds: Int = seconds,
    everyMilliseconds pause: Int = 10,
    _ isSo: () throws -> Bool
  ) rethrows -> Bool {
    let end = MonotonicClock.now + UInt64(seconds) * 1_000_000_000
    while try !isSo() {
      guard MonotonicClock.now < end else { return false }
      MonotonicClock.sleep(milliseconds: pause)
    }
    return true
  }
}
