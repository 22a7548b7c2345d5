// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CameraSource

@Suite struct FrameScheduleTests {
  @Test func `schedules frames at exact multiples of the period, however late each wait ends`() throws {
    var schedule = FrameSchedule(rate: try #require(FrameRate(30000, 1001)))
    var due: UInt64 = 0
    for frame in UInt64(0)..<30_001 {
      due = schedule.nextDeadline(now: 5_000 + due + (frame % 7) * 1_000)
      if frame == 0 { #expect(due == 5_000) }
    }
    #expect(due == 5_000 + 1001 * 1_000_000_000)
  }

  @Test func `catches up after a short delay, and starts a new schedule after a long one`() throws {
    var schedule = FrameSchedule(rate: try #require(FrameRate(10)))
    #expect(schedule.nextDeadline(now: 1_000) == 1_000)
    #expect(schedule.nextDeadline(now: 400_000_000) == 100_001_000)
    #expect(schedule.nextDeadline(now: 900_000_000) == 900_000_000)
    #expect(schedule.nextDeadline(now: 900_000_001) == 1_000_000_000)
    schedule.restart()
    #expect(schedule.nextDeadline(now: 900_000_002) == 900_000_002)
  }

  @Test func `does not overflow within a century at any permitted frame rate`() throws {
    for (top, bottom) in [(1000, 1), (1, 3600), (4_294_967_295, 4_294_967_295)] {
      let rate = try #require(FrameRate(top, bottom))
      let century = UInt64(100) * 366 * 86_400 * UInt64(top) / UInt64(bottom)
      #expect(rate.time(ofFrame: century) <= 100 * 366 * 86_400 * 1_000_000_000)
    }
    #expect(
      FrameRate(1001) == nil && FrameRate(1, 3601) == nil && FrameRate(0) == nil && FrameRate(-1, -1) == nil
    )
  }
}

@Suite struct FrameLedgerTests {
  @Test func `counts each frame as exactly one of produced, consumed, dropped or outstanding`() {
    var ledger = FrameLedger(slots: 4)
    for _ in 0..<4 {
      #expect(!ledger.isFull)
      ledger.begin()
      ledger.publish()
    }
    #expect(ledger.isFull && ledger.outstanding == 4)
    ledger.begin()
    ledger.publish()
    #expect(ledger.counts.dropped == 1 && ledger.outstanding == 4)
    ledger.consume(3)
    #expect(ledger.counts.consumed == 3 && ledger.outstanding == 1)
    ledger.consume(.max)
    #expect(ledger.counts.consumed == 4 && ledger.outstanding == 0)
    ledger.begin()
    ledger.publish()
    ledger.dropOutstanding()
    #expect(ledger.counts.produced == 6 && ledger.counts.dropped == 2 && ledger.outstanding == 0)
  }
}
