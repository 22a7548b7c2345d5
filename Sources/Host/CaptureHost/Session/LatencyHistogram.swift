// SPDX-License-Identifier: Apache-2.0

/// A histogram of durations with a fixed size and a relative precision of one eighth.
package struct LatencyHistogram: Equatable, Sendable {
  /// The binary logarithm of the number of classes in each power of two.
  private static let precision = 3

  /// The number of durations in each class.
  private var classes = [UInt64](repeating: 0, count: (64 - precision + 1) << precision)
  /// The number of durations.
  package private(set) var count: UInt64 = 0

  /// Creates an empty histogram.
  package init() {}

  /// Adds a duration in nanoseconds.
  package mutating func note(_ nanoseconds: UInt64) {
    classes[Self.index(nanoseconds)] += 1
    count += 1
  }

  /// Returns a percentile in nanoseconds, or `nil` if the histogram is empty. `part` is between 0 and 100.
  package func percentile(_ part: UInt64) -> UInt64? {
    guard count > 0 else { return nil }
    let wanted = max(1, (count * part + 99) / 100)
    var seen: UInt64 = 0
    for (index, number) in classes.enumerated() {
      seen += number
      if seen >= wanted { return Self.maximum(in: index) }
    }
    return nil
  }

  /// Returns the class of a duration.
  private static func index(_ time: UInt64) -> Int {
    let shift = max(0, 63 - precision - time.leadingZeroBitCount)
    return shift << precision + Int(time >> UInt64(shift))
  }

  /// Returns the longest duration of a class.
  private static func maximum(in index: Int) -> UInt64 {
    let part = 1 << precision
    if index < 2 * part { return UInt64(index) }
    let shift = UInt64(index / part - 1)
    let (end, overflow) = UInt64(index % part + part + 1).multipliedReportingOverflow(by: 1 << shift)
    return overflow ? .max : end - 1
  }
}
