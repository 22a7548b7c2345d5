// SPDX-License-Identifier: Apache-2.0

/// How long something took, many times: a value of one size, whatever their number, exact to an eighth.
package struct LatencyHistogram: Equatable, Sendable {
  /// Each power of two is divided into so many classes, as a power of two.
  private static let precision = 3

  /// How many times there were of each class.
  private var classes = [UInt64](repeating: 0, count: (64 - precision + 1) << precision)
  /// How many times there were.
  package private(set) var count: UInt64 = 0

  /// Begins with none.
  package init() {}

  /// Adds a time in nanoseconds.
  package mutating func note(_ nanoseconds: UInt64) {
    classes[Self.index(nanoseconds)] += 1
    count += 1
  }

  /// The time within which so many of a hundred were; nil if there were none.
  package func percentile(_ part: UInt64) -> UInt64? {
    guard count > 0 else { return nil }
    let wanted = max(1, (count * part + 99) / 100)
    var seen: UInt64 = 0
    for (index, number) in classes.enumerated() {
      seen += number
      if seen >= wanted { return Self.most(in: index) }
    }
    return nil
  }

  /// The class of a time.
  private static func index(_ time: UInt64) -> Int {
    let shift = max(0, 63 - precision - time.leadingZeroBitCount)
    return shift << precision + Int(time >> UInt64(shift))
  }

  /// The longest time of a class.
  private static func most(in index: Int) -> UInt64 {
    let part = 1 << precision
    if index < 2 * part { return UInt64(index) }
    let shift = UInt64(index / part - 1)
    let (end, overflow) = UInt64(index % part + part + 1).multipliedReportingOverflow(by: 1 << shift)
    return overflow ? .max : end - 1
  }
}
