// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What the other suites say of sessions holds of those that have the network of one before them, whose processes work beside
/// each other.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SideBySideTests {
  /// Has every launch made so.
  static let beside = ["--launcher", "beside"]

  @Test(arguments: ProbeUser.available)
  func `no attack gets through`(user: ProbeUser) throws {
    try ProbeBench(user).expectNothingGetsThrough(options: Self.beside)
  }

  @Test(arguments: ProbeUser.available)
  func `what a layer refuses gets through without it`(user: ProbeUser) throws {
    try expectProtected(
      [Attempt("kill-init", behind: "landlock"), Attempt("stop-init", behind: "landlock")],
      user: user,
      options: { _ in Self.beside }
    )
  }

  @Test(arguments: ProbeUser.available, [[], ManyDescriptorsTests.many])
  func `an extension has only what its plan names`(user: ProbeUser, options: [String]) throws {
    let options = Self.beside + options
    for result in try ProbeBench(user).attempt(ExtensionStateTests.checks, options: options) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result) as \(user)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `no key of the host is found, and none is left for the next session`(user: ProbeUser) throws {
    try ReachTests.expectOwnKeys(user, options: Self.beside)
  }

  @Test(arguments: ProbeUser.available)
  func `killing the host ends the broker and every process of the session`(user: ProbeUser) throws {
    try SessionEndTests.expectEnd(user, options: Self.beside, processes: 18)
  }
}
