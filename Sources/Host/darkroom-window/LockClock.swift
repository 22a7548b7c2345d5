// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives

/// The local time of day on a lock screen.
struct LockClock {
  /// A descriptor that is readable after the clock was set or the machine was suspended, or `nil` if it could
  /// not be created.
  private let changes: HeldDescriptor?
  /// The hour and minute at the last update.
  private(set) var text = ""
  /// The start of the next minute (``MonotonicClock``).
  private(set) var nextMinute: UInt64 = 0

  /// Creates a clock, and reads the time zone file.
  init() {
    tzset()
    do { changes = HeldDescriptor(try ClockChanges.make()) } catch { changes = nil }
  }

  /// The descriptor to poll for clock changes, or `nil`.
  var readable: Int32? { changes?.rawValue }

  /// Handles a clock change.
  func takeChange() { if let changes { ClockChanges.take(changes.descriptor) } }

  /// Updates the text, and returns whether it changed.
  mutating func update() -> Bool {
    let now = WallClock.milliseconds
    let (old, left) = (text, 60_000 - (now % 60_000 + 60_000) % 60_000)
    text = Self.text(seconds: Int(now / 1000))
    nextMinute = MonotonicClock.now + UInt64(left) * 1_000_000
    return text != old
  }

  private static func text(seconds: Int) -> String {
    var (moment, parts) = (seconds, tm())
    guard localtime_r(&moment, &parts) != nil else { return "" }
    func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(digits(parts.tm_hour)):\(digits(parts.tm_min))"
  }
}
