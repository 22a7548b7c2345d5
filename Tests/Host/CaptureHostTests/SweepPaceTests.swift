// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CaptureHost

@Suite struct SweepPaceTests {
  @Test func `each subtree is looked at by the first session, and again after a rest`() {
    let pace = SweepPace()
    #expect(pace.isDue("/one", at: 5))
    #expect(!pace.isDue("/one", at: 6))
    #expect(pace.isDue("/other", at: 6))
    #expect(!pace.isDue("/one", at: 4 + SweepPace.rest))
    #expect(pace.isDue("/one", at: 5 + SweepPace.rest))
    #expect(!pace.isDue("/one", at: 6 + SweepPace.rest))
  }
}
