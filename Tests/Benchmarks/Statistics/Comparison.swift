// SPDX-License-Identifier: Apache-2.0

/// What became better or worse against an earlier run. It judges nothing: a busy machine is no fault of the code.
package struct Comparison: Sendable, Hashable {
  /// What makes the runs' ratios hard to compare.
  package var caveats: [String]
  /// The lines, in the order of the new run.
  package var changes: [Change]

  /// Compares ratios, line by line.
  package init(of new: Report, with old: Report) {
    caveats = new.machine.differences(from: old.machine)
    var known: [String: Table.Row] = [:]
    for table in old.tables {
      for row in table.rows { known[Self.key(table, row)] = row }
    }
    changes = new.tables.flatMap { table in
      // The baseline's own ratio says nothing.
      table.rows.filter { $0.name != table.baseline }
        .map { row in
          Change(table: table.title, name: row.name, unit: row.unit)
            .judged(row.ratio, known[Self.key(table, row)]?.ratio)
        }
    }
  }

  private static func key(_ table: Table, _ row: Table.Row) -> String { "\(table.title)\n\(row.name)" }

  /// One line of a table, and what became of it.
  package struct Change: Sendable, Hashable {
    /// The table.
    package var table: String
    /// The line.
    package var name: String
    /// What its numbers mean.
    package var unit: Series.Unit
    /// What became of it.
    package var verdict = Verdict.unknown

    /// The line with its verdict.
    fileprivate func judged(_ new: RatioEstimate?, _ old: RatioEstimate?) -> Change {
      var judged = self
      if let new, let old { judged.verdict = Verdict(new, old, unit) }
      return judged
    }
  }
}

extension Comparison {
  /// What became of a line.
  package enum Verdict: Sendable, Hashable {
    /// The earlier run does not have it, or it has no ratio.
    case unknown
    /// The difference is less than chance explains; positive is worse.
    case withinNoise(percent: Double)
    /// Worse by so much, outside the noise.
    case worse(percent: Double)
    /// Better by so much, outside the noise.
    case better(percent: Double)

    /// Smaller differences than this are never called anything: two runs of the same program differ by as much.
    package static let floor = 5.0

    /// Judges: outside the noise is a difference whose two intervals do not even touch.
    package init(_ new: RatioEstimate, _ old: RatioEstimate, _ unit: Series.Unit) {
      guard new.ratio > 0, old.ratio > 0 else {
        self = .unknown
        return
      }
      let cost = unit.isBetterWhenLarger ? old.ratio / new.ratio : new.ratio / old.ratio
      let percent = (cost - 1) * 100
      let isApart = new.low > old.high || new.high < old.low
      guard isApart, percent.magnitude >= Self.floor else {
        self = .withinNoise(percent: percent)
        return
      }
      self = percent > 0 ? .worse(percent: percent) : .better(percent: percent)
    }
  }

  /// The comparison for people: what is outside the noise by name, and how many other lines there are.
  package var text: String {
    var lines = caveats.map { "the runs differ in more than the code: \($0)" }
    lines += changes.compactMap { change in
      change.sentence.map { "\(change.table): \(change.name): \($0)" }
    }
    let within = changes.filter { if case .withinNoise = $0.verdict { true } else { false } }.count
    let unknown = changes.filter { $0.verdict == .unknown }.count
    lines.append("\(within) of \(changes.count) lines are within the noise")
    if unknown > 0 { lines.append("\(unknown) have nothing to be compared with") }
    return lines.joined(separator: "\n")
  }
}

extension Comparison.Change {
  /// What is to say of a line that is outside the noise; nil of others.
  package var sentence: String? {
    let words =
      switch unit {
      case .kibibytes: (worse: "larger", better: "smaller")
      case .copies: (worse: "more", better: "fewer")
      case .microseconds, .nanoseconds, .perSecond: (worse: "slower", better: "faster")
      }
    return switch verdict {
    case .worse(let percent): "\(words.worse) by \(percent.text(digits: 1)) %, outside the noise"
    case .better(let percent):
      "\(words.better) by \(percent.magnitude.text(digits: 1)) %, outside the noise"
    case .withinNoise, .unknown: nil
    }
  }
}
