// SPDX-License-Identifier: Apache-2.0

/// What the design allows one measured line, as data: nothing fails when it takes more.
package struct Budget: Sendable, Hashable {
  /// What is promised.
  package var promise: String
  /// The table that has the line.
  package var table: String
  /// The line.
  package var row: String
  /// What of the line is limited.
  package var quantity: Quantity
  /// What it must keep to.
  package var must: Double
  /// What it had better keep to; nil where no more is asked for.
  package var stretch: Double?

  /// States a budget.
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

  /// What of a line is limited.
  package enum Quantity: String, Sendable, Hashable, CaseIterable {
    /// Its median against that of its baseline.
    case ratio
    /// Its median.
    case median
    /// By how much its median is above that of its table's baseline.
    case excess
  }
}

extension Budget {
  /// What was measured of a budget's line.
  package struct Measured: Sendable, Hashable {
    /// The quantity.
    package var value: Double
    /// The least that it may well be: the end of a ratio's interval, or the value itself where there is no interval.
    package var low: Double
    /// The most that it may well be.
    package var high: Double
    /// What the line's numbers mean.
    package var unit: Series.Unit

    /// What a report has of it; nil if that line was not measured.
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

  /// How a line stands to what it may be.
  package enum Verdict: Sendable, Hashable {
    /// It was not measured.
    case unknown
    /// It keeps to it, and uses so much of it.
    case met(percent: Double)
    /// It is more, by so much, but by no more than chance explains.
    case withinNoise(percent: Double)
    /// It is more, by so much.
    case exceeded(percent: Double)

    /// Judges a quantity by one bound.
    init(_ measured: Measured?, bound: Double) {
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

    /// How much of what is allowed is used; where nothing is, anything is infinitely more.
    private static func percent(_ value: Double, of bound: Double, _ isFloor: Bool) -> Double {
      let (part, whole) = isFloor ? (bound, value) : (max(0, value), bound)
      if whole > 0 { return part / whole * 100 }
      return part > 0 ? .infinity : 0
    }

    /// The verdict in a word, for programs.
    package var word: String {
      switch self {
      case .unknown: "not measured"
      case .met: "met"
      case .withinNoise: "within the noise"
      case .exceeded: "not met"
      }
    }
  }
}
