// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import Testing

@Suite struct LatencyHistogramTests {
  @Test func `an empty histogram has no percentile`() { #expect(LatencyHistogram().percentile(50) == nil) }

  @Test(arguments: [0, 1, 7, 8, 15, 16, 17, 1000, 123_456_789, .max] as [UInt64])
  func `reports a time with at most one eighth of error`(time: UInt64) {
    var histogram = LatencyHistogram()
    histogram.note(time)
    let found = histogram.percentile(99) ?? 0
    #expect(found >= time && found - time <= time / 8)
  }

  @Test func `half and 99 percent of the values are at most the reported percentiles`() {
    var histogram = LatencyHistogram()
    for time in UInt64(1)...1000 { histogram.note(time * 1000) }
    #expect((500_000...563_000).contains(histogram.percentile(50) ?? 0))
    #expect((990_000...1_125_000).contains(histogram.percentile(99) ?? 0))
    #expect(histogram.count == 1000)
  }
}
