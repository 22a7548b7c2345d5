// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import JSONText
import Testing

@Suite struct ComparisonTests {
  private static let facts = MachineFacts(
    kernel: "Linux 6.18",
    architecture: "x86_64",
    processors: 2,
    user: "root",
    load: "0.1 0.2 0.3",
    build: "release"
  )

  /// Returns a report with one row and its baseline.
  private func report(
    _ ratio: Double,
    _ width: Double,
    unit: Series.Unit = .microseconds,
    machine: MachineFacts = facts,
    name: String = "darkroom"
  ) -> Report {
    func row(_ name: String, _ estimate: RatioEstimate) -> Table.Row {
      Table.Row(
        name: name,
        unit: unit,
        count: 9,
        first: 3,
        median: 2.5,
        tenth: 1,
        ninetieth: 4,
        ratio: estimate
      )
    }
    let lines = [
      row("bare", RatioEstimate(ratio: 1, low: 0.9, high: 1.1)),
      row(name, RatioEstimate(ratio: ratio, low: ratio - width, high: ratio + width)),
    ]
    return Report(machine, [Table(title: "launch", baseline: "bare", rows: lines, notes: ["seen"])])
  }

  private func sentence(_ new: Report, _ old: Report) throws -> String? {
    try #require(Comparison(of: new, with: old).changes.first).sentence
  }

  @Test func `reports the size of a change outside the noise`() throws {
    #expect(try sentence(report(3, 0.1), report(2, 0.1)) == "slower by 50.0 %, outside the noise")
    #expect(try sentence(report(2, 0.1), report(4, 0.1)) == "faster by 50.0 %, outside the noise")
    #expect(
      try sentence(report(3, 0.1, unit: .kibibytes), report(2, 0.1, unit: .kibibytes))
        == "larger by 50.0 %, outside the noise"
    )
  }

  @Test func `a lower rate counts as slower`() throws {
    let sentence = try sentence(report(0.5, 0.01, unit: .perSecond), report(1, 0.01, unit: .perSecond))
    #expect(sentence == "slower by 100.0 %, outside the noise")
  }

  @Test func `does not report a change within the noise`() throws {
    let comparison = Comparison(of: report(3, 0.6), with: report(2, 0.6))
    #expect(comparison.changes.map(\.verdict) == [.withinNoise(percent: 50)])
    #expect(comparison.text == "1 of 1 lines are within the noise")
    // The intervals do not overlap, but the difference is below the minimum.
    #expect(try sentence(report(2.04, 0.001), report(2, 0.001)) == nil)
  }

  @Test func `a row that the other run lacks is not a change`() throws {
    let comparison = Comparison(of: report(3, 0.1, name: "new"), with: report(2, 0.1))
    #expect(comparison.changes.map(\.verdict) == [.unknown])
    #expect(comparison.text.contains("1 have nothing to be compared with"))
  }

  @Test func `reports differences between the machines as caveats`() {
    var other = Self.facts
    other.kernel = "Linux 6.1"
    other.user = "ordinary user"
    other.load = "9 9 9"
    let comparison = Comparison(of: report(2, 0.1, machine: other), with: report(2, 0.1))
    #expect(comparison.caveats == ["Linux 6.1 instead of Linux 6.18", "ordinary user instead of root"])
  }

  @Test func `a report survives a round trip through JSON`() throws {
    let written = report(2.25, 0.25)
    let text = written.json.text(.indented)
    let read = try #require(Report(json: JSONNode.parse(text).value))
    #expect(read == written)
    #expect(Report(json: ["format": 2]) == nil)
  }

  @Test func `tables name the baseline and print their notes`() {
    var (bare, slow) = (Series("bare"), Series("slow"))
    for value in [1.0, 2, 3] {
      bare.add(value)
      slow.add(nanoseconds: UInt64(value * 4000))
    }
    var count = Series("count", .perSecond)
    count.add(7)
    let table = Table("things", [bare, slow, count, Series("nothing")], baseline: "bare", notes: ["a note"])
    #expect(table.rows.map(\.name) == ["bare", "slow", "count"])
    #expect(table.rows.map { $0.ratio?.ratio } == [1, 4, nil])
    let text = Report(Self.facts, [table]).text
    #expect(text.contains("things; ratios to bare"))
    #expect(text.contains("slow"))
    #expect(text.hasSuffix("  a note"))
  }
}
