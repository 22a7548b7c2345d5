// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DarkroomCommands

@Suite struct LockWaitTests {
  @Test func `it is said how long, and it changes once a minute at most`() {
    #expect(LockWait(seconds: 0) == nil && LockWait(seconds: -5) == nil)
    #expect(LockWait(seconds: 1)?.words == "Wait 1 second.")
    for (seconds, words, change) in [
      (30, "Wait 30 seconds.", 30), (60, "Wait 60 seconds.", 60), (61, "Wait 2 minutes.", 1),
      (120, "Wait 2 minutes.", 60), (121, "Wait 3 minutes.", 1), (900, "Wait 15 minutes.", 60),
    ] {
      let wait = LockWait(seconds: seconds)
      #expect(wait?.words == words && wait?.secondsToChange == change)
    }
  }
}
