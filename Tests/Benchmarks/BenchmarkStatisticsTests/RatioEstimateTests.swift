// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import Testing

@Suite struct RatioEstimateTests {
  /// Returns deterministic pseudorandom values in a range.
  private func values(_ count: Int, from low: Double, to high: Double, seed: UInt64) -> [Double] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return low + (high - low) * Double(state >> 33) / Double(1 << 31)
    }
  }

  @Test func `medians and quantiles are values that were measured`() {
    var series = Series("x")
    for value in [5.0, 1, 4, 2, 3] { series.add(value) }
    #expect(series.median == 3)
    #expect(series.quantile(0.1) == 1)
    #expect(series.quantile(0.9) == 5)
    #expect(Series("empty").median.isNaN)
  }

  @Test func `the interval contains the true ratio`() throws {
    let base = values(200, from: 90, to: 110, seed: 1)
    let twice = values(200, from: 180, to: 220, seed: 2)
    let estimate = try #require(RatioEstimate(twice, against: base))
    #expect(estimate.low <= 2 && 2 <= estimate.high)
    #expect(estimate.low <= estimate.ratio && estimate.ratio <= estimate.high)
    #expect(estimate.high - estimate.low < 0.1)
    #expect(RatioEstimate(twice, against: base) == estimate)
  }

  @Test func `a slowdown of both series does not widen the interval`() throws {
    let base = values(200, from: 99, to: 101, seed: 3)
    let other = values(200, from: 198, to: 202, seed: 4)
    // The machine is twice as slow for a third of the time.
    func drifting(_ values: [Double]) -> [Double] {
      values.enumerated().map { $0.offset % 200 < 70 ? 2 * $0.element : $0.element }
    }
    let estimate = try #require(RatioEstimate(drifting(other), against: drifting(base)))
    #expect(estimate.low > 1.9 && estimate.high < 2.1)
  }

  @Test func `more noise makes the interval wider`() throws {
    let base = values(200, from: 99, to: 101, seed: 5)
    let quiet = try #require(RatioEstimate(values(200, from: 99, to: 101, seed: 6), against: base))
    let loud = try #require(RatioEstimate(values(200, from: 50, to: 150, seed: 6), against: base))
    #expect(loud.high - loud.low > 3 * (quiet.high - quiet.low))
  }

  @Test func `one value suffices for an estimate, and no value gives nil`() {
    #expect(RatioEstimate([4], against: [2]) == RatioEstimate(ratio: 2, low: 2, high: 2))
    #expect(RatioEstimate([], against: [2]) == nil)
    #expect(RatioEstimate([4], against: []) == nil)
    #expect(RatioEstimate([4], against: [0]) == nil)
  }
}
