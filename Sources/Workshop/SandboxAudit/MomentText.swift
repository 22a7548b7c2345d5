// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

/// A moment in milliseconds since 1970, as people and programs read it.
package enum MomentText {
  /// To the second in UTC, as in `2026-01-31 08:15:00`; what stands above the column says UTC.
  package static func short(_ milliseconds: Int64) -> String {
    let text = WallClock.text(milliseconds: milliseconds)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
  }

  /// As session records have it.
  package static func json(_ milliseconds: Int64) -> JSONValue {
    .string(WallClock.text(milliseconds: milliseconds))
  }
}
