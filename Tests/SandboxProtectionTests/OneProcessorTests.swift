// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What the other suites say of sessions holds where nothing can be done beside the session's init, which then makes the
/// network and takes the host's mounts away itself, as it also does where many launch at once.
@Suite(.timeLimit(.minutes(20)), .waiting) struct OneProcessorTests {
  @Test(arguments: ProbeUser.available)
  func `no attack gets through`(user: ProbeUser) throws {
    let bench = try ProbeBench(user, processors: .one)
    let attacks = try bench.attacks()
    let results = try bench.attempt(attacks.map(\.attempt))
    #expect(results.map(\.name) == attacks.map(\.name))
    for result in results {
      #expect(result.verdict != "succeeded" && result.verdict != "untried", "\(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `an extension has only what its plan names`(user: ProbeUser) throws {
    for result in try ProbeBench(user, processors: .one).attempt(ExtensionStateTests.checks) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result) as \(user)")
    }
  }
}
