// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

/// Text forms of a timestamp in milliseconds since 1970.
package enum TimestampText {
  /// Returns the time to the second in UTC, for example `2026-01-31 08:15:00`. The column title must contain
  /// UTC.
  package static func short(_ milliseconds: Int64) -> String {
    let text = WallClock.text(milliseconds: milliseconds)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
  }

  /// Returns the time in the form of session records.
  package static func json(_ milliseconds: Int64) -> JSONValue {
    .string(WallClock.text(milliseconds: milliseconds))
  }
}
