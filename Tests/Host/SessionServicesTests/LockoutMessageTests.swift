// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SessionServices

@Suite struct LockoutMessageTests {
  @Test func `the lockout message shows the remaining time and changes at most once a minute`() {
    #expect(LockoutMessage(seconds: 0) == nil && LockoutMessage(seconds: -5) == nil)
    #expect(LockoutMessage(seconds: 1)?.text == "Wait 1 second.")
    for (seconds, words, change) in [
      (30, "Wait 30 seconds.", 30), (60, "Wait 60 seconds.", 60), (61, "Wait 2 minutes.", 1),
      (120, "Wait 2 minutes.", 60), (121, "Wait 3 minutes.", 1), (900, "Wait 15 minutes.", 60),
    ] {
      let wait = LockoutMessage(seconds: seconds)
      #expect(wait?.text == words && wait?.secondsUntilChange == change)
    }
  }
}
