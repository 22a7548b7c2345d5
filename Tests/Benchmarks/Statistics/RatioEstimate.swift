// SPDX-License-Identifier: Apache-2.0

/// The ratio of two medians of interleaved measurements, with a confidence interval.
package struct RatioEstimate: Sendable, Hashable {
  /// The ratio of the medians.
  package var ratio: Double
  /// The lower bound of the interval.
  package var low: Double
  /// The upper bound of the interval.
  package var high: Double

  /// Creates an estimate from known values.
  package init(ratio: Double, low: Double, high: Double) {
    self.ratio = ratio
    self.low = low
    self.high = high
  }

  /// The number of blocks into which a run is divided.
  private static let blockCount = 10
  /// The number of bootstrap samples.
  private static let repetitions = 300

  /// Estimates the ratio to a baseline of the same rounds, or returns `nil` if a series is empty or the
  /// baseline's median is zero.
  ///
  /// The interval is a 95 % block bootstrap. Load on a machine lasts for many rounds, so resampling single
  /// values would underestimate the noise. Load affects both series at the same time, so both use the same
  /// blocks.
  package init?(_ values: [Double], against baseline: [Double]) {
    guard !values.isEmpty, !baseline.isEmpty else { return nil }
    let divisor = Self.median(baseline)
    guard divisor > 0 else { return nil }
    let ratio = Self.median(values) / divisor
    let count = min(Self.blockCount, values.count, baseline.count)
    let (valueBlocks, baselineBlocks) = (Self.blocks(values, count), Self.blocks(baseline, count))
    // A fixed seed makes the output a function of the values.
    var generator = SplitMix64(seed: 1)
    var ratios: [Double] = []
    for _ in 0..<Self.repetitions {
      let chosen = (0..<count).map { _ in Int.random(in: 0..<count, using: &generator) }
      let descendants = Self.median(chosen.flatMap { baselineBlocks[$0] })
      if descendants > 0 { ratios.append(Self.median(chosen.flatMap { valueBlocks[$0] }) / descendants) }
    }
    ratios.sort()
    self.ratio = ratio
    low = min(ratio, Series.quantile(0.025, ofSorted: ratios))
    high = max(ratio, Series.quantile(0.975, ofSorted: ratios))
  }

  private static func median(_ values: [Double]) -> Double { Series.quantile(0.5, ofSorted: values.sorted()) }

  /// Divides values into blocks of about equal length.
  private static func blocks(_ values: [Double], _ count: Int) -> [ArraySlice<Double>] {
    (0..<count).map { values[$0 * values.count / count..<($0 + 1) * values.count / count] }
  }
}

/// A deterministic generator (SplitMix64).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator with a seed.
  init(seed: UInt64) { state = seed }

  /// Returns the next number.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
