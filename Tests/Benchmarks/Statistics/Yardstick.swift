// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A row that indicates the speed of a machine relative to the machine on which the budgets were set.
///
/// The yardstick helps to interpret absolute times of a slow run. Ratios do not need it.
package struct Yardstick: Sendable, Hashable {
  /// The name of the row.
  package var row: String
  /// The titles of tables that may contain the row, in order of preference.
  package var tables: [String]
  /// The median in microseconds when the budgets were set.
  package var budgeted: Double

  /// Creates a yardstick.
  package init(_ row: String, in tables: [String], budgeted: Double) {
    self.row = row
    self.tables = tables
    self.budgeted = budgeted
  }

  /// Returns the median of the row in a report in microseconds, or `nil` if it was not measured.
  package func median(in report: Report) -> Double? {
    for title in tables {
      let table = report.tables.first { $0.title == title }
      if let found = table?.rows.first(where: { $0.name == row && $0.unit == .microseconds }) {
        return found.median
      }
    }
    return nil
  }

  /// Returns the comparison as a sentence, or `nil` if the row was not measured.
  package func sentence(_ report: Report) -> String? {
    guard let now = median(in: report) else { return nil }
    let times = (now / budgeted).text(digits: 2)
    return
      "\(row) took \(now.text(digits: 1)) µs in this run, \(times) times the \(budgeted.text(digits: 1)) µs "
      + "where the budgets in µs were set"
  }

  /// Returns the comparison as JSON, or `nil` if the row was not measured.
  package func json(_ report: Report) -> JSONValue? {
    median(in: report).flatMap { now in
      .object(["row": .string(row), "median": number(now), "budgeted": .number(budgeted)])
    }
  }
}
