// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import JSONText
import Testing

@Suite struct ProcessorTimesTests {
  private func times(_ line: String) -> ProcessorTimes? {
    ProcessorTimes(statistics: "\(line)\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 5\n")
  }

  @Test func `steal time is the eighth value, and guest time is counted once`() throws {
    let found = try #require(times("cpu  100 2 30 400 5 0 6 7 50 1"))
    #expect(found.stolen == 7)
    #expect(found.total == 550)
  }

  @Test func `rejects malformed lines of the proc stat file`() {
    #expect(times("cpu  100 2 30 400 5 0 6") == nil)
    #expect(times("cpux 1 2 3 4 5 6 7 8") == nil)
    #expect(ProcessorTimes(statistics: "") == nil)
  }

  @Test func `the stolen share covers the time between two readings`() throws {
    let before = try #require(times("cpu 100 0 0 100 0 0 0 10 0 0"))
    let after = try #require(times("cpu 130 0 0 150 0 0 0 30 0 0"))
    #expect(after.stolenShare(since: before) == 0.2)
    #expect(before.stolenShare(since: before) == 0)
    // A counter that has decreased, for example after a live migration.
    #expect(before.stolenShare(since: after) == 0)
  }

  @Test func `prints large stolen shares in descending order and saves all of them`() throws {
    let shares = [("launch", 0.071), ("steps", 0.04), ("warm", 0.1)]
    let stolen = shares.map { StolenTime($0.0, share: $0.1) }
    let sentence = try #require(StolenTime.sentence(stolen))
    #expect(sentence.hasPrefix("other machines had the processors for 10.0 % of warm, 7.1 % of launch:"))
    #expect(StolenTime.sentence([stolen[1]]) == nil)
    #expect(StolenTime.sentence([]) == nil)
    var report = Report(
      MachineFacts(kernel: "", architecture: "", processors: 2, user: "", load: "", build: "")
    )
    report.stolen = stolen
    #expect(Report(json: report.json)?.stolen == stolen)
  }
}
