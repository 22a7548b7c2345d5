// SPDX-License-Identifier: Apache-2.0

package import JSONText

extension Report {
  /// The report as JSON, the input of ``init(json:)``.
  package var json: JSONValue {
    .object([
      "format": 1,
      "machine": .object([
        "kernel": .string(machine.kernel), "architecture": .string(machine.architecture),
        "processors": .integer(Int64(machine.processors)), "user": .string(machine.user),
        "load": .string(machine.load), "build": .string(machine.build),
      ]),
      "tables": .array(tables.map(\.json)),
      "stolen": stolen.isEmpty ? nil : .array(stolen.map(\.json)),
    ])
  }

  /// Creates a report from JSON, or returns `nil` if the format is unknown.
  package init?(json: JSONValue) {
    guard json["format"]?.integer == 1, let machine = json["machine"], let tables = json["tables"]?.elements
    else { return nil }
    func text(_ name: String) -> String { machine[name]?.string ?? "" }
    self.init(
      MachineFacts(
        kernel: text("kernel"),
        architecture: text("architecture"),
        processors: Int(machine["processors"]?.integer ?? 0),
        user: text("user"),
        load: text("load"),
        build: text("build")
      ),
      tables.compactMap { Table(json: $0) }
    )
    stolen = json["stolen"]?.elements?.compactMap { StolenTime(json: $0) } ?? []
  }
}

extension StolenTime {
  fileprivate var json: JSONValue { .object(["group": .string(group), "share": number(share)]) }

  fileprivate init?(json: JSONValue) {
    guard let group = json["group"]?.string, let share = json["share"]?.double else { return nil }
    self.init(group, share: share)
  }
}

extension Table {
  fileprivate var json: JSONValue {
    .object([
      "title": .string(title), "baseline": .string(baseline), "rows": .array(rows.map(\.json)),
      "notes": notes.isEmpty ? nil : .array(notes.map { .string($0) }),
    ])
  }

  fileprivate init?(json: JSONValue) {
    guard let title = json["title"]?.string, let baseline = json["baseline"]?.string,
      let rows = json["rows"]?.elements
    else { return nil }
    self.init(
      title: title,
      baseline: baseline,
      rows: rows.compactMap { Row(json: $0) },
      notes: json["notes"]?.elements?.compactMap(\.string) ?? []
    )
  }
}

extension Table.Row {
  fileprivate var json: JSONValue {
    .object([
      "name": .string(name),
      "unit": .string(unit.rawValue),
      "count": .integer(Int64(count)),
      "first": number(first),
      "median": number(median),
      "p10": number(tenth),
      "p90": number(ninetieth),
      "ratio": ratio.flatMap { number($0.ratio) },
      "low": ratio.flatMap { number($0.low) },
      "high": ratio.flatMap { number($0.high) },
      "against": against.map { .string($0) },
    ])
  }

  fileprivate init?(json: JSONValue) {
    guard let name = json["name"]?.string,
      let unit = json["unit"]?.string.flatMap(Series.Unit.init(rawValue:))
    else { return nil }
    func number(_ name: String) -> Double { json[name]?.double ?? .nan }
    var estimate: RatioEstimate?
    if let ratio = json["ratio"]?.double, let low = json["low"]?.double, let high = json["high"]?.double {
      estimate = RatioEstimate(ratio: ratio, low: low, high: high)
    }
    self.init(
      name: name,
      unit: unit,
      count: Int(json["count"]?.integer ?? 0),
      first: number("first"),
      median: number("median"),
      tenth: number("p10"),
      ninetieth: number("p90"),
      ratio: estimate,
      against: json["against"]?.string
    )
  }
}

/// Returns a number rounded to four digits, or `nil` if it is not finite.
func number(_ value: Double) -> JSONValue? {
  value.isFinite ? .number((value * 10_000).rounded() / 10_000) : nil
}
