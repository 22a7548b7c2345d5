// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives

/// The time of day on a lock screen, where the person is.
struct LockClock {
  /// Readable when somebody has set the clock, or the machine has slept; nil: nobody says so.
  private let changes: HeldDescriptor?
  /// The hour and the minute, when it was looked at last.
  private(set) var text = ""
  /// When the next minute begins, of ``MonotonicClock``.
  private(set) var nextMinute: UInt64 = 0

  /// Reads where the person is, which is a file.
  init() {
    tzset()
    do { changes = HeldDescriptor(try ClockChanges.make()) } catch { changes = nil }
  }

  /// What to watch; nil: nothing.
  var readable: Int32? { changes?.rawValue }

  /// Takes notice of a change.
  func takeChange() { if let changes { ClockChanges.take(changes.descriptor) } }

  /// Looks at the time; whether it is another.
  mutating func look() -> Bool {
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
