// SPDX-License-Identifier: Apache-2.0

/// The budget of one measured row. A budget is data; exceeding it fails no test.
package struct Budget: Sendable, Hashable {
  /// The promise as text.
  package var promise: String
  /// The title of the table of the row.
  package var table: String
  /// The name of the row.
  package var row: String
  /// The limited quantity of the row.
  package var quantity: Quantity
  /// The required limit.
  package var must: Double
  /// The desired limit, or `nil` if there is none.
  package var stretch: Double?

  /// Creates a budget.
  package init(
    _ promise: String,
    table: String,
    row: String,
    _ quantity: Quantity,
    must: Double,
    stretch: Double? = nil
  ) {
    self.promise = promise
    self.table = table
    self.row = row
    self.quantity = quantity
    self.must = must
    self.stretch = stretch
  }

  /// The quantity of a row that a budget limits.
  package enum Quantity: String, Sendable, Hashable, CaseIterable {
    /// The median as a ratio to the baseline.
    case ratio
    /// The median.
    case median
    /// The difference between the median and the median of the table's baseline.
    case excess
  }
}

extension Budget {
  /// The measured value of a budget's row.
  package struct Measurement: Sendable, Hashable {
    /// The value of the quantity.
    package var value: Double
    /// The lower bound: the end of the interval of a ratio, or the value itself without an interval.
    package var low: Double
    /// The upper bound.
    package var high: Double
    /// The unit of the value.
    package var unit: Series.Unit

    /// Looks up the row of a budget in a report, or returns `nil` if the row was not measured.
    package init?(of budget: Budget, in report: Report) {
      guard let table = report.tables.first(where: { $0.title == budget.table }),
        let row = table.rows.first(where: { $0.name == budget.row })
      else { return nil }
      unit = row.unit
      switch budget.quantity {
      case .ratio:
        guard let ratio = row.ratio else { return nil }
        (value, low, high) = (ratio.ratio, ratio.low, ratio.high)
      case .median: (value, low, high) = (row.median, row.median, row.median)
      case .excess:
        guard let baseline = table.rows.first(where: { $0.name == table.baseline }) else { return nil }
        value = row.median - baseline.median
        (low, high) = (value, value)
      }
      guard value.isFinite else { return nil }
    }
  }

  /// The verdict of a measured value under a limit.
  package enum Verdict: Sendable, Hashable {
    /// The row was not measured.
    case unknown
    /// The value is within the limit and uses the given percentage of it.
    case met(percent: Double)
    /// The value exceeds the limit by the given percentage, which is within the noise.
    case withinNoise(percent: Double)
    /// The value exceeds the limit by the given percentage.
    case exceeded(percent: Double)

    /// Compares a measured value with a limit.
    init(_ measured: Measurement?, bound: Double) {
      guard let measured else {
        self = .unknown
        return
      }
      let isFloor = measured.unit.isBetterWhenLarger
      let used = Self.percent(measured.value, of: bound, isFloor)
      let best = isFloor ? measured.high : measured.low
      let isMet = isFloor ? measured.value >= bound : measured.value <= bound
      let mayBeMet = isFloor ? best >= bound : best <= bound
      self =
        isMet
        ? .met(percent: used) : mayBeMet ? .withinNoise(percent: used - 100) : .exceeded(percent: used - 100)
    }

    /// Returns the used percentage of the limit, or infinity if the limit is zero and the value is not.
    private static func percent(_ value: Double, of bound: Double, _ isFloor: Bool) -> Double {
      let (part, whole) = isFloor ? (bound, value) : (max(0, value), bound)
      if whole > 0 { return part / whole * 100 }
      return part > 0 ? .infinity : 0
    }

    /// The verdict as text for JSON.
    package var label: String {
      switch self {
      case .unknown: "not measured"
      case .met: "met"
      case .withinNoise: "within the noise"
      case .exceeded: "not met"
      }
    }
  }
}
