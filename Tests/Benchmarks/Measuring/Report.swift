// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives

/// One table of the report.
struct Section {
  /// What was measured.
  var title: String
  /// What a ratio of 1 is.
  var baseline: String
  /// The lines.
  var rows: [Row]

  /// Makes a table in which every ratio is one to the series of that name.
  init(_ title: String, _ series: [Series], baseline: String) {
    self.title = title
    self.baseline = baseline
    let unit = series.first { $0.name == baseline }?.median
    rows = series.filter { !$0.values.isEmpty }
      .map { series in Row(series: series, ratio: unit.map { series.median / $0 }) }
  }

  /// One line.
  struct Row {
    /// What was measured.
    var series: Series
    /// The median against the baseline's.
    var ratio: Double?
  }
}

/// Everything that one run measured, and where.
struct Report {
  /// The tables.
  var sections: [Section] = []
}

// MARK: - For programs

extension Report {
  /// The report as JSON.
  var json: JSONValue {
    .object([
      "machine": .object([
        "kernel": .string(Machine.kernel), "processors": .integer(Int64(Machine.processors)),
        "load": .string(Machine.load), "build": .string(Machine.build),
      ]),
      "sections": .array(sections.map(\.json)),
    ])
  }
}

extension Section {
  fileprivate var json: JSONValue {
    .object([
      "title": .string(title), "baseline": .string(baseline), "rows": .array(rows.map(\.json)),
    ])
  }
}

extension Section.Row {
  fileprivate var json: JSONValue {
    .object([
      "name": .string(series.name),
      "unit": .string(series.unit.rawValue),
      "count": .integer(Int64(series.values.count)),
      "first": .number(series.values.first ?? .nan),
      "median": .number(series.median),
      "p10": .number(series.quantile(0.1)),
      "p90": .number(series.quantile(0.9)),
      "ratio": ratio.map(JSONValue.number),
    ])
  }
}

// MARK: - For people

extension Report {
  /// The report as tables.
  var text: String {
    let head =
      "\(Machine.kernel), \(Machine.processors) processors, load \(Machine.load), \(Machine.build) build"
    return ([head] + sections.map(\.text)).joined(separator: "\n\n")
  }
}

extension Section {
  fileprivate var text: String {
    let width = (rows.map(\.series.name.count).max() ?? 0) + 2
    let columns = ["median", "p10", "p90", "first", "ratio"].map { $0.paddedLeft(to: 10) }.joined()
    let head = "\(title); ratios to \(baseline)\n" + "".padded(to: width) + columns
    return ([head] + rows.map { $0.line(width) }).joined(separator: "\n")
  }
}

extension Section.Row {
  fileprivate func line(_ width: Int) -> String {
    let values = [
      series.median, series.quantile(0.1), series.quantile(0.9), series.values.first ?? .nan,
    ]
    let numbers = values.map { $0.text(digits: 1).paddedLeft(to: 10) }.joined()
    let ratio = ratio.map { $0.text(digits: 2) } ?? "-"
    return series.name.padded(to: width) + numbers + ratio.paddedLeft(to: 10) + "  " + series.unit.rawValue
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

extension Double {
  /// The number with so many digits behind the point.
  fileprivate func text(digits: Int) -> String {
    guard isFinite else { return "-" }
    let scale = digits == 1 ? 10.0 : 100.0
    let whole = Int((magnitude * scale).rounded())
    let fraction = String(whole % Int(scale))
    return (self < 0 ? "-" : "") + "\(whole / Int(scale))."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
