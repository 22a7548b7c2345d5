// SPDX-License-Identifier: Apache-2.0

/// The samples of one measurement in chronological order.
package struct Series: Sendable, Hashable {
  /// The name of the measurement.
  package let name: String
  /// The unit of the samples.
  package let unit: Unit
  /// The samples.
  package private(set) var values: [Double] = []

  /// Creates an empty series.
  package init(_ name: String, _ unit: Unit = .microseconds) {
    self.name = name
    self.unit = unit
  }

  /// Adds a sample.
  package mutating func add(_ value: Double) { values.append(value) }

  /// Adds a duration in nanoseconds.
  package mutating func add(nanoseconds: UInt64) { values.append(Double(nanoseconds) / 1000) }

  /// Returns a quantile by the nearest-rank method.
  package func quantile(_ part: Double) -> Double { Self.quantile(part, ofSorted: values.sorted()) }

  package var median: Double { quantile(0.5) }

  /// Returns a quantile of sorted values.
  static func quantile(_ part: Double, ofSorted sorted: [Double]) -> Double {
    guard !sorted.isEmpty else { return .nan }
    return sorted[min(sorted.count - 1, Int((Double(sorted.count) * part).rounded(.down)))]
  }
}

extension Series {
  /// The unit of samples.
  package enum Unit: String, Sendable, Hashable, CaseIterable {
    /// Durations.
    case microseconds = "µs"
    /// Durations of one iteration of a loop.
    case nanoseconds = "ns"
    /// Rates per second.
    case perSecond = "/s"
    /// Memory.
    case kibibytes = "KiB"
    /// Copies of a frame.
    case copies = "copies"

    /// Whether larger values are better.
    package var isBetterWhenLarger: Bool { self == .perSecond }
  }
}
