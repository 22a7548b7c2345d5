// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The comparison of a report with the budgets.
package struct BudgetReview: Sendable, Hashable {
  /// The findings in the order of the budgets.
  package var findings: [Finding]

  /// Evaluates budgets with a report and, if available, an earlier report.
  package init(_ budgets: [Budget], of report: Report, earlier: Report? = nil) {
    findings = budgets.map { budget in
      let measured = Budget.Measurement(of: budget, in: report)
      return Finding(
        budget: budget,
        measured: measured,
        earlier: earlier.flatMap { Budget.Measurement(of: budget, in: $0) },
        must: Budget.Verdict(measured, bound: budget.must),
        stretch: budget.stretch.map { Budget.Verdict(measured, bound: $0) }
      )
    }
  }

  /// The result of one budget.
  package struct Finding: Sendable, Hashable {
    package var budget: Budget
    /// The measured value, or `nil` if the row was not measured.
    package var measured: Budget.Measurement?
    /// The value of the earlier run, or `nil` if there is none.
    package var earlier: Budget.Measurement?
    /// The verdict under the required limit.
    package var must: Budget.Verdict
    /// The verdict under the desired limit, or `nil` if there is none.
    package var stretch: Budget.Verdict?
  }
}

// MARK: - Text

extension BudgetReview {
  /// The findings as text. Unmeasured rows are only counted.
  package var text: String {
    let seen = findings.filter { $0.measured != nil }
    guard !seen.isEmpty else { return "budgets: no row with a budget was measured" }
    let cells = [["", "measured", "must", "stretch", "against must"]] + seen.map(\.cells)
    let widths = (0..<4).map { column in cells.map { $0[column].count }.max() ?? 0 }
    let lines = cells.map { row in
      "  " + row[0].padded(to: widths[0])
        + (1..<4).map { "  " + row[$0].paddedLeft(to: widths[$0]) }.joined() + "  " + row[4]
    }
    let met = seen.filter(\.must.isMet).count
    let rest = findings.count - seen.count
    let sum = "budgets: \(met) of \(seen.count) measured rows meet their budget"
    return ([sum + (rest > 0 ? "; \(rest) were not measured" : "")] + lines).joined(separator: "\n")
  }
}

extension BudgetReview.Finding {
  fileprivate var cells: [String] {
    [
      budget.promise, measured.map { budget.text($0.value, $0.unit) } ?? "",
      measured.map { budget.text(budget.must, $0.unit) } ?? "",
      budget.stretch.flatMap { bound in measured.map { budget.text(bound, $0.unit) } } ?? "", sentence,
    ]
  }

  /// The finding as a sentence.
  package var sentence: String {
    var text = must.sentence
    if must.isMet, let stretch { text += "; stretch " + stretch.sentence }
    if let earlier { text += "; was \(budget.text(earlier.value, earlier.unit))" }
    return text
  }
}

extension Budget {
  /// Returns a quantity with its unit.
  fileprivate func text(_ value: Double, _ unit: Series.Unit) -> String {
    switch quantity {
    case .ratio: "\(value.text(digits: 2))×"
    case .median, .excess: "\(value.text(digits: value.magnitude < 10 ? 2 : 1)) \(unit.rawValue)"
    }
  }
}

extension Budget.Verdict {
  /// Whether the value is within the limit.
  package var isMet: Bool { if case .met = self { true } else { false } }

  /// The verdict with its percentage.
  fileprivate var sentence: String {
    switch self {
    case .unknown: label
    case .met(let percent): "met, with \(percent.rounded().text(digits: 1)) % of it"
    case .withinNoise(let percent):
      "not met by \(percent.text(digits: 1)) %, which is within the noise"
    case .exceeded(let percent):
      percent.isFinite ? "not met, by \(percent.text(digits: 1)) %" : "not met"
    }
  }

  /// The used percentage of the limit, or `nil` if it is unknown or infinite.
  fileprivate var percentUsed: Double? {
    switch self {
    case .unknown: nil
    case .met(let percent): percent
    case .withinNoise(let percent), .exceeded(let percent): percent.isFinite ? percent + 100 : nil
    }
  }
}

// MARK: - JSON

extension BudgetReview {
  /// The findings as JSON, including unmeasured rows.
  package var json: JSONValue { .array(findings.map(\.json)) }
}

extension BudgetReview.Finding {
  fileprivate var json: JSONValue {
    .object([
      "promise": .string(budget.promise), "table": .string(budget.table), "row": .string(budget.row),
      "quantity": .string(budget.quantity.rawValue), "unit": measured.map { .string($0.unit.rawValue) },
      "must": .number(budget.must), "stretch": budget.stretch.map { .number($0) },
      "measured": measured.flatMap { number($0.value) }, "earlier": earlier.flatMap { number($0.value) },
      "verdict": .string(must.label), "percentOfMust": must.percentUsed.flatMap(number),
      "stretchVerdict": stretch.map { .string($0.label) },
      "percentOfStretch": stretch.flatMap(\.percentUsed).flatMap(number),
    ])
  }
}
