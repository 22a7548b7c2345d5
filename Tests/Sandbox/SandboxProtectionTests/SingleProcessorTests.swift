// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The checks of other suites, for a host on one processor. The init then creates the network and detaches
/// the host's mounts itself, as it also does during many concurrent launches.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SingleProcessorTests {
  @Test(arguments: ProbeUser.available)
  func `no attack succeeds on one processor`(user: ProbeUser) throws {
    try ProbeHarness(user, processors: .one).expectNoAttackSucceeds()
  }

  @Test(arguments: ProbeUser.available)
  func `an extension on one processor has only what its plan lists`(user: ProbeUser) throws {
    for result in try ProbeHarness(user, processors: .one).attempt(ExtensionStateTests.checks) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result) as \(user)")
    }
  }
}
