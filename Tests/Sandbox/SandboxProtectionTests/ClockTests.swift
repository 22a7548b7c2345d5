// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What a session learns about the time since the machine was started.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ClockTests {
  @Test(arguments: ProbeUser.available)
  func `the clocks that count from a start begin with the session`(user: ProbeUser) throws {
    let attempts = ["clock-ahead=1", "clock-ahead=7"]
    let bench = try ProbeBench(user)
    for result in try bench.attempt(attempts) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result)")
    }
    // A machine that was started a moment ago has clocks of which nothing can be told.
    for result in try bench.attempt(attempts, without: ["clocks"]) {
      #expect(result.verdict == "succeeded" || result.text.contains("untold"), "\(result)")
    }
  }
}
