// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Parser of the timestamps in records: RFC 3339 in UTC with milliseconds.
package enum Timestamp {
  /// Returns a timestamp in milliseconds since 1970, or `nil` if the text is not `YYYY-MM-DDTHH:MM:SS.mmmZ`.
  package static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 24 else { return nil }
    // Parsed manually for speed: a record can contain a million timestamps.
    func number(_ range: Range<Int>, before separator: UInt8) -> Int64? {
      guard bytes[range.upperBound] == separator else { return nil }
      var number: Int64 = 0
      for digit in bytes[range] {
        guard (0x30...0x39).contains(digit) else { return nil }
        number = number * 10 + Int64(digit - 0x30)
      }
      return number
    }
    guard let year = number(0..<4, before: UInt8(ascii: "-")),
      let month = number(5..<7, before: UInt8(ascii: "-")),
      let day = number(8..<10, before: UInt8(ascii: "T")),
      let hour = number(11..<13, before: UInt8(ascii: ":")),
      let minute = number(14..<16, before: UInt8(ascii: ":")),
      let second = number(17..<19, before: UInt8(ascii: ".")),
      let fraction = number(20..<23, before: UInt8(ascii: "Z")), (1...12).contains(month),
      (1...31).contains(day), hour < 24,
      minute < 60,
      second < 61
    else { return nil }
    let seconds = ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    // A leap second after the last representable minute would be out of range.
    return min(seconds * 1000 + fraction, WallClock.representable.upperBound)
  }

  /// Returns the number of days between 1970-01-01 and a Gregorian date.
  ///
  /// Years start in March, so that the leap day is the last day of its year and month lengths follow a
  /// formula.
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return 365 * marchYear + leapDays + (153 * marchMonth + 2) / 5 + day - 1 - 719_468
  }
}
