// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionStore

/// The notation of times in options.
enum LogTime {
  /// Parses a day, a UTC timestamp, or a duration before now. Returns milliseconds since 1970.
  static func parse(_ text: String) throws(CommandFailure) -> Int64 {
    let suffixes = ["T00:00:00.000Z", ":00.000Z", ".000Z", "Z", ""]
    let bare = text.hasSuffix("Z") ? String(text.dropLast()) : text
    for moment in suffixes.map({ bare + $0 }) + [text] {
      if let milliseconds = Timestamp.milliseconds(moment) { return milliseconds }
    }
    guard let ago = try? DurationText.parse(text) else {
      throw CommandFailure(
        .usage,
        "'\(TextTable.printable(text))' is not a time; use a date (2026-01-31), a UTC timestamp (2026-01-31T08:15:00Z) "
          + "or an age (90m, 12h)"
      )
    }
    let (seconds, attoseconds) = ago.components
    return WallClock.milliseconds - seconds * 1000 - attoseconds / 1_000_000_000_000_000
  }
}
