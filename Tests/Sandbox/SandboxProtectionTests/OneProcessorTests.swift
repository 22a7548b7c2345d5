// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What the other suites say of sessions holds where nothing can be done beside the session's init, which then makes the
/// network and takes the host's mounts away itself, as it also does where many launch at once.
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
