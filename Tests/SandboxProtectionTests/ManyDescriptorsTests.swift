// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What the other suites say of sessions holds of those of a host that has many descriptors open. Their inits begin with the
/// host's descriptors and take their own from them, and do not get a copy of all.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ManyDescriptorsTests {
  private static let many = ["--descriptors", "400"]

  @Test(arguments: ProbeUser.available)
  func `no attack gets through`(user: ProbeUser) throws {
    try ProbeBench(user).expectNothingGetsThrough(options: Self.many)
  }

  @Test(arguments: ProbeUser.available, ["direct", "broker"])
  func `an extension has only what its plan names`(user: ProbeUser, launcher: String) throws {
    let options = Self.many + ["--launcher", launcher]
    for result in try ProbeBench(user).attempt(ExtensionStateTests.checks, options: options) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result) as \(user)")
    }
  }
}
