// SPDX-License-Identifier: Apache-2.0

/// The notation of durations: a number and a unit, such as `500ms`, `2s` or `1.5m`.
package enum DurationText {
  /// The units with their lengths in nanoseconds.
  private static let units: [(name: String, nanoseconds: UInt64)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
  ]

  /// Parses a duration, which is never negative.
  package static func parse(_ text: String) throws(ValueFault) -> Duration {
    let quantity = try DecimalQuantity(parsing: text, example: "500ms")
    let names = units.map(\.name)
    guard !quantity.unit.isEmpty else { throw .missingUnit(units: names, example: "\(text)s") }
    guard let unit = units.first(where: { $0.name == quantity.unit }) else {
      throw .unknownUnit(quantity.unit, units: names)
    }
    let nanoseconds = try quantity.parts(scale: unit.nanoseconds, smallest: "a nanosecond")
    return .nanoseconds(Int64(nanoseconds))
  }
}
