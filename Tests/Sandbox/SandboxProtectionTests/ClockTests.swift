// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Information about the boot time that a session can observe.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ClockTests {
  @Test(arguments: ProbeUser.available)
  func `monotonic and boot-time clocks start with the session`(user: ProbeUser) throws {
    let attempts = ["clock-ahead=1", "clock-ahead=7"]
    let bench = try ProbeHarness(user)
    for result in try bench.attempt(attempts) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result)")
    }
    // After a recent boot, the clocks are too low for a decision.
    for result in try bench.attempt(attempts, without: ["clocks"]) {
      #expect(result.verdict == "succeeded" || result.text.contains("untold"), "\(result)")
    }
  }

  /// The clocks of a session start at one hour. If the machine has run for about an hour, an attempt cannot
  /// distinguish the two.
  @Test(arguments: ProbeUser.available, ["clock-boot", "clock-monotonic", "clock-raw", "start-time"])
  func `an attempt is not possible while a session shows the uptime by chance`(
    user: ProbeUser,
    attempt: String
  ) throws {
    let bench = try ProbeHarness(user)
    for (uptime, verdict) in [(60, "refused"), (3500, "refused"), (3600, "untried"), (3700, "refused")] {
      let result = try #require(try bench.attempt(["\(attempt)=\(uptime)"]).first)
      #expect(result.verdict == verdict, "\(uptime): \(result)")
    }
  }
}
