// SPDX-License-Identifier: Apache-2.0

/// What one thing took, each time that it was measured, in the order of time.
package struct Series: Sendable, Hashable {
  /// What is measured.
  package let name: String
  /// What the numbers mean.
  package let unit: Unit
  /// The numbers.
  package private(set) var values: [Double] = []

  /// Nothing measured yet.
  package init(_ name: String, _ unit: Unit = .microseconds) {
    self.name = name
    self.unit = unit
  }

  /// Adds a value.
  package mutating func add(_ value: Double) { values.append(value) }

  /// Adds a time in nanoseconds.
  package mutating func add(nanoseconds: UInt64) { values.append(Double(nanoseconds) / 1000) }

  /// The value below which so much of the others lie; nearest rank.
  package func quantile(_ part: Double) -> Double { Self.quantile(part, ofSorted: values.sorted()) }

  /// The middle.
  package var median: Double { quantile(0.5) }

  /// The value of sorted ones below which so much of the others lie.
  static func quantile(_ part: Double, ofSorted sorted: [Double]) -> Double {
    guard !sorted.isEmpty else { return .nan }
    return sorted[min(sorted.count - 1, Int((Double(sorted.count) * part).rounded(.down)))]
  }
}

extension Series {
  /// What numbers mean.
  package enum Unit: String, Sendable, Hashable, CaseIterable {
    /// Times.
    case microseconds = "µs"
    /// Times of what is done in a loop.
    case nanoseconds = "ns"
    /// How many a second.
    case perSecond = "/s"
    /// Memory.
    case kibibytes = "KiB"
    /// How often something was copied.
    case copies = "copies"

    /// Whether a larger number is what one hopes for.
    package var isBetterWhenLarger: Bool { self == .perSecond }
  }
}
