// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A line that tells how fast the machine of a run was, with what it was where the budgets were set.
///
/// Nothing is judged by it: times of a slow moment are to be read with it. Ratios need none.
package struct Yardstick: Sendable, Hashable {
  /// The line.
  package var row: String
  /// The tables that may have it, the best first.
  package var tables: [String]
  /// Its median where the budgets were set, in microseconds.
  package var budgeted: Double

  /// Names a line.
  package init(_ row: String, in tables: [String], budgeted: Double) {
    self.row = row
    self.tables = tables
    self.budgeted = budgeted
  }

  /// Its median in a run, in microseconds; nil: it was not measured.
  package func median(in report: Report) -> Double? {
    for title in tables {
      let table = report.tables.first { $0.title == title }
      if let found = table?.rows.first(where: { $0.name == row && $0.unit == .microseconds }) {
        return found.median
      }
    }
    return nil
  }

  /// How the two stand to each other, as a sentence; nil: it was not measured.
  package func sentence(_ report: Report) -> String? {
    guard let now = median(in: report) else { return nil }
    let times = (now / budgeted).text(digits: 2)
    return
      "\(row) took \(now.text(digits: 1)) µs in this run, \(times) times the \(budgeted.text(digits: 1)) µs "
      + "where the budgets in µs were set"
  }

  /// The same for programs; nil: it was not measured.
  package func json(_ report: Report) -> JSONValue? {
    median(in: report).flatMap { now in
      .object(["row": .string(row), "median": number(now), "budgeted": .number(budgeted)])
    }
  }
}
