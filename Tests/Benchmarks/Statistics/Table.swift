// SPDX-License-Identifier: Apache-2.0

/// A table of a report with measurements of the same rounds.
package struct Table: Sendable, Hashable {
  package var title: String
  /// The name of the row with ratio 1.
  package var baseline: String
  package var rows: [Row]
  /// Notes about omitted rows and observations.
  package var notes: [String]

  /// Creates a table from series; empty series are omitted.
  ///
  /// Each ratio refers to `baseline`, except for rows whose own baseline is in `against`.
  package init(
    _ title: String,
    _ series: [Series],
    baseline: String,
    against: [String: String] = [:],
    notes: [String] = []
  ) {
    let rows = series.filter { !$0.values.isEmpty }
      .map { one in
        let own = against[one.name]
        var row = Row(one, against: series.first { $0.name == own ?? baseline })
        row.against = own
        return row
      }
    self.init(title: title, baseline: baseline, rows: rows, notes: notes)
  }

  /// Creates a table from known rows.
  package init(title: String, baseline: String, rows: [Row], notes: [String]) {
    self.title = title
    self.baseline = baseline
    self.rows = rows
    self.notes = notes
  }

  /// A row of a table.
  package struct Row: Sendable, Hashable {
    /// The name of the measurement.
    package var name: String
    /// The unit of the values.
    package var unit: Series.Unit
    /// The number of samples.
    package var count: Int
    /// The first sample, the cost for a program that does this once.
    package var first: Double
    package var median: Double
    /// The 10 % quantile.
    package var tenth: Double
    /// The 90 % quantile.
    package var ninetieth: Double
    /// The ratio of the median to the baseline's, or `nil` for different units.
    package var ratio: RatioEstimate?
    /// The name of the row's own baseline, or `nil` if it is the table's baseline.
    package var against: String?

    /// Creates a row from a series.
    init(_ series: Series, against baseline: Series?) {
      name = series.name
      unit = series.unit
      count = series.values.count
      first = series.values.first ?? .nan
      median = series.median
      tenth = series.quantile(0.1)
      ninetieth = series.quantile(0.9)
      guard let baseline, baseline.unit == series.unit else { return }
      ratio = RatioEstimate(series.values, against: baseline.values)
    }

    /// Creates a row from known values.
    package init(
      name: String,
      unit: Series.Unit,
      count: Int,
      first: Double,
      median: Double,
      tenth: Double,
      ninetieth: Double,
      ratio: RatioEstimate?,
      against: String? = nil
    ) {
      self.name = name
      self.unit = unit
      self.count = count
      self.first = first
      self.median = median
      self.tenth = tenth
      self.ninetieth = ninetieth
      self.ratio = ratio
      self.against = against
    }
  }
}
