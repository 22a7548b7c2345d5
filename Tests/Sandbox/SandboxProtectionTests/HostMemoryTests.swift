// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// What launches do to the memory that they share with their host until they execute a program.
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostMemoryTests {
  /// A process that changes its user makes its memory undumpable (prctl(2), `PR_SET_DUMPABLE`).
  @Test(
    .enabled(if: geteuid() == 0, "only root's sessions change their user"),
    arguments: [0, 1],
    [[], BrokerTests.brokered, BrokerTests.beside]
  )
  func `whether the host's memory can be dumped is as it was`(dumpable: Int, options: [String]) throws {
    let bench = try ProbeBench(.root)
    let lines = try bench.output(
      bench.command(["kill-init", "kill-init"], options: options + ["--dumpable", "\(dumpable)"])
    )
    #expect(lines.last == "host\tdumpable \(dumpable)", "\(lines)")
    #expect(lines.count == 3)
  }
}
