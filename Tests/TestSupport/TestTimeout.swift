// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The time that tests wait for an expected event.
///
/// Only a failing test waits this long. The timeout exceeds the longest stall of a machine that runs all
/// tests at once, some of which use all processors and the disk.
package enum TestTimeout {
  /// The timeout in seconds.
  package static let seconds = 180

  /// The deadline of a test that starts to wait now (``MonotonicClock``).
  package static var deadline: UInt64 { MonotonicClock.now + UInt64(seconds) * 1_000_000_000 }

  /// Polls a condition until it holds or the timeout has elapsed. Returns whether the condition holds.
  package static func waitUntil(
    within seconds: Int = seconds,
    everyMilliseconds pause: Int = 10,
    _ condition: () throws -> Bool
  ) rethrows -> Bool {
    let deadline = MonotonicClock.now + UInt64(seconds) * 1_000_000_000
    while try !condition() {
      guard MonotonicClock.now < deadline else { return false }
      MonotonicClock.sleep(milliseconds: pause)
    }
    return true
  }
}
