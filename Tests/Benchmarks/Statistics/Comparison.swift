// SPDX-License-Identifier: Apache-2.0

/// The changes relative to an earlier run. A comparison fails nothing, because a busy machine is not an error
/// in the code.
package struct Comparison: Sendable, Hashable {
  /// The differences between the machines that limit the comparability.
  package var caveats: [String]
  /// The changes in the order of the new run.
  package var changes: [Change]

  /// Compares the ratios of all rows.
  package init(of new: Report, with old: Report) {
    caveats = new.machine.differences(from: old.machine)
    var known: [String: Table.Row] = [:]
    for table in old.tables {
      for row in table.rows { known[Self.key(table, row)] = row }
    }
    changes = new.tables.flatMap { table in
      // The ratio of the baseline is always 1.
      table.rows.filter { $0.name != table.baseline }
        .map { row in
          Change(table: table.title, name: row.name, unit: row.unit)
            .withVerdict(row.ratio, known[Self.key(table, row)]?.ratio)
        }
    }
  }

  private static func key(_ table: Table, _ row: Table.Row) -> String { "\(table.title)\n\(row.name)" }

  /// The change of one row.
  package struct Change: Sendable, Hashable {
    /// The title of the table.
    package var table: String
    /// The name of the row.
    package var name: String
    /// The unit of the row.
    package var unit: Series.Unit
    /// The verdict of the change.
    package var verdict = Verdict.unknown

    /// Returns the change with its verdict.
    fileprivate func withVerdict(_ new: RatioEstimate?, _ old: RatioEstimate?) -> Change {
      var withVerdict = self
      if let new, let old { withVerdict.verdict = Verdict(new, old, unit) }
      return withVerdict
    }
  }
}

extension Comparison {
  /// The verdict of a change.
  package enum Verdict: Sendable, Hashable {
    /// The earlier run lacks the row, or the row has no ratio.
    case unknown
    /// The difference is within the noise; a positive percentage is worse.
    case withinNoise(percent: Double)
    /// Worse by the given percentage, outside the noise.
    case worse(percent: Double)
    /// Better by the given percentage, outside the noise.
    case better(percent: Double)

    /// The smallest reported difference in percent: two runs of the same program differ by as much.
    package static let floor = 5.0

    /// Compares two ratios. A difference is outside the noise if the intervals do not overlap.
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

  /// The comparison as text: changes outside the noise, and the count of other rows.
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
  /// The change as a sentence, or `nil` if it is within the noise or unknown.
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
