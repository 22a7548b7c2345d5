// SPDX-License-Identifier: Apache-2.0

/// The ratio of two medians that were measured in turns, and between which ratios the true one may well lie.
package struct RatioEstimate: Sendable, Hashable {
  /// The ratio of the medians.
  package var ratio: Double
  /// The lower end of the interval.
  package var low: Double
  /// Its upper end.
  package var high: Double

  /// An estimate that is known.
  package init(ratio: Double, low: Double, high: Double) {
    self.ratio = ratio
    self.low = low
    self.high = high
  }

  /// How many stretches of time a run is cut into.
  private static let stretches = 10
  /// How often a run is made up anew.
  private static let repetitions = 300

  /// Estimates the ratio to a baseline that was measured in the same rounds; nil where one of them is empty or zero.
  ///
  /// The interval is that of a bootstrap over stretches of time: what a busy machine does lasts for many rounds, so
  /// single values would promise more than they know; and what it does in a stretch, it does to both series, which is
  /// why both are always taken from the same stretches. 95 of 100 made-up runs lie in the interval.
  package init?(_ values: [Double], against baseline: [Double]) {
    guard !values.isEmpty, !baseline.isEmpty else { return nil }
    let divisor = Self.median(baseline)
    guard divisor > 0 else { return nil }
    let ratio = Self.median(values) / divisor
    let count = min(Self.stretches, values.count, baseline.count)
    let (ours, theirs) = (Self.cut(values, count), Self.cut(baseline, count))
    // The same numbers in each run: what is printed of the same values is the same.
    var numbers = RepeatableNumbers(seed: 1)
    var ratios: [Double] = []
    for _ in 0..<Self.repetitions {
      let chosen = (0..<count).map { _ in Int.random(in: 0..<count, using: &numbers) }
      let below = Self.median(chosen.flatMap { theirs[$0] })
      if below > 0 { ratios.append(Self.median(chosen.flatMap { ours[$0] }) / below) }
    }
    ratios.sort()
    self.ratio = ratio
    low = min(ratio, Series.quantile(0.025, ofSorted: ratios))
    high = max(ratio, Series.quantile(0.975, ofSorted: ratios))
  }

  private static func median(_ values: [Double]) -> Double { Series.quantile(0.5, ofSorted: values.sorted()) }

  /// Cuts values into so many stretches of about the same length.
  private static func cut(_ values: [Double], _ count: Int) -> [ArraySlice<Double>] {
    (0..<count).map { values[$0 * values.count / count..<($0 + 1) * values.count / count] }
  }
}

/// Numbers without order that are the same each time (SplitMix64).
struct RepeatableNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// Begins.
  init(seed: UInt64) { state = seed }

  /// The next number.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
