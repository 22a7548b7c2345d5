// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import JSONText
import Testing

@Suite struct BudgetTests {
  private static let facts = MachineFacts(
    kernel: "Linux 6.18",
    architecture: "x86_64",
    processors: 2,
    user: "root",
    load: "0.1",
    build: "release"
  )

  /// Returns a report with one measured row.
  private func report(
    _ ratio: Double,
    width: Double = 0,
    median: Double = 2.5,
    _ unit: Series.Unit = .microseconds
  ) -> Report {
    func row(_ name: String, _ median: Double, _ estimate: RatioEstimate) -> Table.Row {
      Table.Row(
        name: name,
        unit: unit,
        count: 9,
        first: 3,
        median: median,
        tenth: 1,
        ninetieth: 4,
        ratio: estimate
      )
    }
    let rows = [
      row("bare", 2, RatioEstimate(ratio: 1, low: 1, high: 1)),
      row("darkroom", median, RatioEstimate(ratio: ratio, low: ratio - width, high: ratio + width)),
    ]
    return Report(Self.facts, [Table(title: "launch", baseline: "bare", rows: rows, notes: [])])
  }

  private func budget(_ quantity: Budget.Quantity, must: Double, stretch: Double? = nil) -> Budget {
    Budget("a launch", table: "launch", row: "darkroom", quantity, must: must, stretch: stretch)
  }

  private func sentence(_ budget: Budget, _ report: Report, earlier: Report? = nil) throws -> String {
    try #require(BudgetReview([budget], of: report, earlier: earlier).findings.first).sentence
  }

  @Test func `a met budget reports the percentage in use`() throws {
    let budget = budget(.ratio, must: 2, stretch: 1.25)
    #expect(try sentence(budget, report(1.5)) == "met, with 75.0 % of it; stretch not met, by 20.0 %")
    #expect(try sentence(budget, report(1)) == "met, with 50.0 % of it; stretch met, with 80.0 % of it")
  }

  @Test func `a missed budget reports the excess and whether it is within the noise`() throws {
    #expect(try sentence(budget(.ratio, must: 2), report(3)) == "not met, by 50.0 %")
    #expect(
      try sentence(budget(.ratio, must: 2), report(2.1, width: 0.2))
        == "not met by 5.0 %, which is within the noise"
    )
  }

  @Test func `a budget for a rate is a lower limit`() throws {
    let cheapestCall = budget(.ratio, must: 0.2)
    #expect(try sentence(cheapestCall, report(0.4, .perSecond)) == "met, with 50.0 % of it")
    #expect(try sentence(cheapestCall, report(0.1, .perSecond)) == "not met, by 100.0 %")
    #expect(
      try sentence(cheapestCall, report(0.16, width: 0.05, .perSecond))
        == "not met by 25.0 %, which is within the noise"
    )
  }

  @Test func `medians and the excess over the baseline can have budgets`() throws {
    #expect(try sentence(budget(.median, must: 5), report(9)) == "met, with 50.0 % of it")
    #expect(try sentence(budget(.excess, must: 1), report(9)) == "met, with 50.0 % of it")
    #expect(try sentence(budget(.excess, must: 0), report(9)) == "not met")
    #expect(try sentence(budget(.excess, must: 0), report(9, median: 1)) == "met, with 0.0 % of it")
  }

  @Test func `a row without a measurement is neither met nor missed`() throws {
    let other = Budget("another", table: "launch", row: "another", .ratio, must: 1)
    let review = BudgetReview([other, budget(.ratio, must: 2)], of: report(1))
    #expect(review.findings.map(\.must) == [.unknown, .met(percent: 50)])
    let sum = "budgets: 1 of 1 measured rows meet their budget; 1 were not measured"
    #expect(review.text.hasPrefix("\(sum)\n"))
    #expect(!review.text.contains("another"))
    #expect(BudgetReview([other], of: report(1)).text == "budgets: no row with a budget was measured")
  }

  @Test func `a finding shows the value of an earlier run`() throws {
    let said = try sentence(budget(.ratio, must: 2), report(1.5), earlier: report(4))
    #expect(said == "met, with 75.0 % of it; was 4.00×")
  }

  @Test func `the JSON of a review has the verdicts, percentages and earlier values`() throws {
    let review = BudgetReview([budget(.ratio, must: 2, stretch: 1.2)], of: report(1.5), earlier: report(4))
    let finding = try #require(review.json.elements?.first)
    #expect(finding["verdict"]?.string == "met")
    #expect(finding["percentOfMust"]?.double == 75)
    #expect(finding["stretchVerdict"]?.string == "not met")
    #expect(finding["percentOfStretch"]?.double == 125)
    #expect(finding["earlier"]?.double == 4)
  }

  @Test func `a row can have its own baseline`() throws {
    var (bare, small, large) = (Series("bare"), Series("small"), Series("large"))
    for _ in 0..<20 {
      bare.add(1)
      small.add(4)
      large.add(6)
    }
    let table = Table("launch", [bare, small, large], baseline: "bare", against: ["large": "small"])
    #expect(table.rows.map { $0.ratio?.ratio } == [1, 4, 1.5])
    #expect(table.rows.map(\.against) == [nil, nil, "small"])
    let report = Report(Self.facts, [table])
    #expect(Report(json: report.json)?.tables.first?.rows.map(\.against) == [nil, nil, "small"])
    #expect(report.text.contains("µs, ratio to small"))
  }

  @Test func `a yardstick reports the speed of the machine from the first table that has its row`() {
    let bare = Yardstick("bare", in: ["no such table", "launch"], budgeted: 4)
    #expect(
      bare.sentence(report(1))
        == "bare took 2.0 µs in this run, 0.50 times the 4.0 µs where the budgets in µs were set"
    )
    #expect(bare.json(report(1))?.text(.compact) == #"{"row":"bare","median":2.0,"budgeted":4.0}"#)
    for other in [
      Yardstick("none", in: ["launch"], budgeted: 4), Yardstick("bare", in: ["other"], budgeted: 4),
    ] {
      #expect(other.sentence(report(1)) == nil && other.json(report(1)) == nil)
    }
  }
}
