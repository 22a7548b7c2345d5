// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The checks of other suites, for a host on one processor. The init then creates the network and detaches
/// the host's mounts itself, as it also does during many concurrent launches.
@Suite(.timeLimit(.minutes(20)), .waiting) struct OneProcessorTests {
  @Test(arguments: ProbeUser.available)
  func `no attack gets through`(user: ProbeUser) throws {
    try ProbeBench(user, processors: .one).expectNothingGetsThrough()
  }

  @Test(arguments: ProbeUser.available)
  func `an extension has only what its plan names`(user: ProbeUser) throws {
    for result in try ProbeBench(user, processors: .one).attempt(ExtensionStateTests.checks) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result) as \(user)")
    }
  }
}
