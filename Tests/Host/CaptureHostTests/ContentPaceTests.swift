// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import SessionStore
import Testing

@Suite struct ContentPaceTests {
  static let millisecond: UInt64 = 1_000_000

  private func usage(bytes: Int64, entries: Int64 = 1) -> ContentUsage {
    var usage = ContentUsage()
    usage.apparentBytes = bytes
    usage.entries = entries
    return usage
  }

  @Test func `a directory that rests is measured less and less often, and one that grows soon again`() {
    var pace = ContentPace(ContentLimit(bytes: 1 << 30, entries: 1000))
    let first = pace.interval(after: usage(bytes: 10), cost: 0)
    #expect(first == ContentPace.shortest)
    var interval = first
    for _ in 0..<10 {
      let next = pace.interval(after: usage(bytes: 10), cost: 0)
      #expect(next == min(2 * interval, ContentPace.longest))
      interval = next
    }
    #expect(interval == ContentPace.longest)
    #expect(pace.interval(after: usage(bytes: 11), cost: 0) == ContentPace.shortest)
  }

  @Test func `far from its limits even a growing directory is not measured all the time`() {
    var pace = ContentPace(ContentLimit(bytes: 8 << 30, entries: 1_000_000))
    #expect(pace.interval(after: usage(bytes: 1), cost: 0) == ContentPace.longest)
    #expect(pace.interval(after: usage(bytes: (8 << 30) - (512 << 20)), cost: 0) == 125 * Self.millisecond)
    #expect(pace.interval(after: usage(bytes: 8 << 30), cost: 0) == ContentPace.shortest)
  }

  @Test func `a directory that takes long to measure is measured less often`() {
    var pace = ContentPace(ContentLimit(bytes: 100, entries: 10))
    #expect(pace.interval(after: usage(bytes: 1), cost: 30 * Self.millisecond) == 120 * Self.millisecond)
    #expect(pace.interval(after: usage(bytes: 1), cost: 30 * Self.millisecond) == 1500 * Self.millisecond)
  }
}
