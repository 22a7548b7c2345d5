// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import SessionStore
import Testing

@Suite struct ContentMeasurementScheduleTests {
  static let millisecond: UInt64 = 1_000_000

  private func usage(bytes: Int64, entries: Int64 = 1) -> ContentUsage {
    var usage = ContentUsage()
    usage.apparentBytes = bytes
    usage.entries = entries
    return usage
  }

  @Test func `measures an unchanged directory less often and a growing one more often`() {
    var schedule = ContentMeasurementSchedule(ContentLimit(bytes: 1 << 30, entries: 1000))
    let first = schedule.interval(after: usage(bytes: 10), cost: 0)
    #expect(first == ContentMeasurementSchedule.minimumInterval)
    var interval = first
    for _ in 0..<10 {
      let next = schedule.interval(after: usage(bytes: 10), cost: 0)
      #expect(next == min(2 * interval, ContentMeasurementSchedule.maximumInterval))
      interval = next
    }
    #expect(interval == ContentMeasurementSchedule.maximumInterval)
    #expect(schedule.interval(after: usage(bytes: 11), cost: 0) == ContentMeasurementSchedule.minimumInterval)
  }

  @Test func `measures a growing directory rarely while it is far below its limits`() {
    var schedule = ContentMeasurementSchedule(ContentLimit(bytes: 8 << 30, entries: 1_000_000))
    #expect(schedule.interval(after: usage(bytes: 1), cost: 0) == ContentMeasurementSchedule.maximumInterval)
    #expect(
      schedule.interval(after: usage(bytes: (8 << 30) - (512 << 20)), cost: 0) == 125 * Self.millisecond
    )
    #expect(
      schedule.interval(after: usage(bytes: 8 << 30), cost: 0) == ContentMeasurementSchedule.minimumInterval
    )
  }

  @Test func `measures a directory less often if measuring takes long`() {
    var schedule = ContentMeasurementSchedule(ContentLimit(bytes: 100, entries: 10))
    #expect(schedule.interval(after: usage(bytes: 1), cost: 30 * Self.millisecond) == 120 * Self.millisecond)
    #expect(schedule.interval(after: usage(bytes: 1), cost: 30 * Self.millisecond) == 1500 * Self.millisecond)
  }
}
