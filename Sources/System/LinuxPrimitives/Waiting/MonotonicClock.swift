// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A clock that never jumps (clock_gettime(2), `CLOCK_MONOTONIC`), in nanoseconds.
package enum MonotonicClock {
  /// The clock ID, for calls that take one. The corresponding constant is `CLOCK_MONOTONIC`.
  package static var clockID: Int32 { CLOCK_MONOTONIC }

  /// The current time.
  package static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The time since boot, including suspension (`CLOCK_BOOTTIME`), in nanoseconds.
  package static var sinceBoot: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The CPU time of the calling thread, in nanoseconds. The corresponding clock is
  /// `CLOCK_THREAD_CPUTIME_ID`.
  package static var threadTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Sleeps for at most the given time (nanosleep(2)).
  package static func sleep(milliseconds: Int) {
    var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    nanosleep(&time, nil)
  }
}

/// The system time (clock_gettime(2), `CLOCK_REALTIME`).
package enum WallClock {
  /// Milliseconds since 1970-01-01 00:00 UTC.
  package static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The timestamps that RFC 3339 can represent: years 0000 to 9999.
  package static let representable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  /// Returns a timestamp in the format of RFC 3339, in UTC with milliseconds: `2026-01-31T08:15:00.250Z`. A
  /// timestamp that RFC 3339 cannot represent is clamped, so that a reader always finds a valid timestamp.
  package static func text(milliseconds moment: Int64) -> String {
    let milliseconds = min(max(moment, representable.lowerBound), representable.upperBound)
    // Round down: before 1970 the remainder of the division is negative.
    let fraction = (milliseconds % 1000 + 1000) % 1000
    var seconds = time_t((milliseconds - fraction) / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    // The digits are written in place, because a record can have a timestamp for each of a million files.
    return String(unsafeUninitializedCapacity: 24) { text in
      var place = 0
      func add(_ number: Int32, _ width: Int, _ end: UInt8) {
        var rest = number
        for index in (place..<place + width).reversed() {
          text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        text[place + width] = end
        place += width + 1
      }
      add(parts.tm_year + 1900, 4, UInt8(ascii: "-"))
      add(parts.tm_mon + 1, 2, UInt8(ascii: "-"))
      add(parts.tm_mday, 2, UInt8(ascii: "T"))
      add(parts.tm_hour, 2, UInt8(ascii: ":"))
      add(parts.tm_min, 2, UInt8(ascii: ":"))
      add(parts.tm_sec, 2, UInt8(ascii: "."))
      add(Int32(fraction), 3, UInt8(ascii: "Z"))
      return place
    }
  }
}
