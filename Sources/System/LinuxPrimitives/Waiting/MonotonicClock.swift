// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Time that never jumps (clock_gettime(2), `CLOCK_MONOTONIC`), in nanoseconds.
package enum MonotonicClock {
  /// The kernel's number of it, for who asks for times by this clock. The corresponding constant is `CLOCK_MONOTONIC`.
  package static var number: Int32 { CLOCK_MONOTONIC }

  /// The time now.
  package static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The time since the machine was started, also while it slept (`CLOCK_BOOTTIME`), in nanoseconds.
  package static var sinceBoot: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The processor time that the calling thread has had, in nanoseconds. The corresponding clock is
  /// `CLOCK_THREAD_CPUTIME_ID`.
  package static var threadTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Waits, at most as long as it says (nanosleep(2)).
  package static func sleep(milliseconds: Int) {
    var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    nanosleep(&time, nil)
  }
}

/// The calendar (clock_gettime(2), `CLOCK_REALTIME`).
package enum WallClock {
  /// Milliseconds since 1970-01-01 00:00 UTC.
  package static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The moments that RFC 3339 can write, which has years of four digits: 0000 to 9999.
  package static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  /// A moment as RFC 3339 writes it, in UTC with milliseconds: `2026-01-31T08:15:00.250Z`. One that it cannot write
  /// becomes the first or the last that it can: whoever reads it again must find a moment.
  package static func text(milliseconds moment: Int64) -> String {
    let milliseconds = min(max(moment, writable.lowerBound), writable.upperBound)
    // Down, also before 1970, where a rest of the division is negative and would be no fraction.
    let fraction = (milliseconds % 1000 + 1000) % 1000
    var seconds = time_t((milliseconds - fraction) / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    // Digit by digit, and where they stay: a record can have one of each of a million files.
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
