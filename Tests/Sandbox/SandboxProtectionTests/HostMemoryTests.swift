// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// Effects of launches on the memory that they share with their host until execve(2).
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostMemoryTests {
  /// Changing the UID of a process clears its dumpable flag (prctl(2), `PR_SET_DUMPABLE`).
  @Test(
    .enabled(if: geteuid() == 0, "only root's sessions change their user"),
    arguments: [0, 1],
    [[], BrokeredSessionTests.brokered, BrokeredSessionTests.inReusedNetwork]
  )
  func `a launch preserves the dumpable flag of the host`(dumpable: Int, options: [String]) throws {
    let bench = try ProbeHarness(.root)
    let lines = try bench.output(
      bench.command(["kill-init", "kill-init"], options: options + ["--dumpable", "\(dumpable)"])
    )
    #expect(lines.last == "host\tdumpable \(dumpable)", "\(lines)")
    #expect(lines.count == 3)
  }
}
