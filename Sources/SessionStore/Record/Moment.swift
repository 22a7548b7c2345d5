// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Reads a moment as the record writes it: RFC 3339 in UTC with milliseconds.
package enum Moment {
  /// Milliseconds since 1970; nil if the text is not `YYYY-MM-DDTHH:MM:SS.mmmZ`.
  package static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 24 else { return nil }
    for (index, separator) in zip([4, 7, 10, 13, 16, 19, 23], "--T::.Z".utf8) where bytes[index] != separator
    {
      return nil
    }
    func number(_ range: Range<Int>) -> Int64? {
      bytes[range].allSatisfy { (0x30...0x39).contains($0) }
        ? Int64(String(decoding: bytes[range], as: UTF8.self)) : nil
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      let fraction = number(20..<23), (1...12).contains(month), (1...31).contains(day), hour < 24,
      minute < 60,
      second < 61
    else { return nil }
    let seconds = ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    // The 61st second of the last minute is after the last moment that can be written.
    return min(seconds * 1000 + fraction, WallClock.writable.upperBound)
  }

  /// The days between 1970-01-01 and a date of the Gregorian calendar.
  ///
  /// Years are counted from March, so that the leap day is the last of its year and months need no table.
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return 365 * marchYear + leapDays + (153 * marchMonth + 2) / 5 + day - 1 - 719_468
  }
}
