// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CaptureHost

@Suite struct SweepScheduleTests {
  @Test func `sweeps each subtree at the first session and again after an interval`() {
    let schedule = SweepSchedule()
    #expect(schedule.isDue("/one", at: 5))
    #expect(!schedule.isDue("/one", at: 6))
    #expect(schedule.isDue("/other", at: 6))
    #expect(!schedule.isDue("/one", at: 4 + SweepSchedule.interval))
    #expect(schedule.isDue("/one", at: 5 + SweepSchedule.interval))
    #expect(!schedule.isDue("/one", at: 6 + SweepSchedule.interval))
  }
}
