// SPDX-License-Identifier: Apache-2.0

/// One table of a report: what was measured in the same rounds.
package struct Table: Sendable, Hashable {
  /// What was measured.
  package var title: String
  /// The line whose ratio is 1.
  package var baseline: String
  /// The lines.
  package var rows: [Row]
  /// What has to be known to read them: what was left out, and what was seen besides.
  package var notes: [String]

  /// Makes a table in which every ratio is one to the series of that name, but for those lines whose own baseline
  /// `against` names. Series without values are left out.
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

  /// A table that is known.
  package init(title: String, baseline: String, rows: [Row], notes: [String]) {
    self.title = title
    self.baseline = baseline
    self.rows = rows
    self.notes = notes
  }

  /// One line.
  package struct Row: Sendable, Hashable {
    /// What was measured.
    package var name: String
    /// What the numbers mean.
    package var unit: Series.Unit
    /// How many there were.
    package var count: Int
    /// The first: what a program pays that does it once.
    package var first: Double
    /// The middle.
    package var median: Double
    /// A tenth was below.
    package var tenth: Double
    /// A tenth was above.
    package var ninetieth: Double
    /// The median against the baseline's; nil where they are of different kinds.
    package var ratio: RatioEstimate?
    /// Whose line that is, if it is not the table's baseline.
    package var against: String?

    /// What there is to say of a series.
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

    /// A line that is known.
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
