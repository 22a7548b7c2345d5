// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// What the other suites say of sessions holds of those that a broker has prepared.
@Suite(.timeLimit(.minutes(20)), .waiting) struct BrokerTests {
  /// Has every launch made by a broker.
  static let brokered = ["--launcher", "broker"]

  @Test(arguments: ProbeUser.available)
  func `no attack gets through`(user: ProbeUser) throws {
    try ProbeBench(user).expectNothingGetsThrough(options: Self.brokered)
  }

  @Test(arguments: ProbeUser.available)
  func `what a layer refuses gets through without it`(user: ProbeUser) throws {
    try expectProtected(
      [Attempt("kill-init", behind: "landlock"), Attempt("stop-init", behind: "landlock")],
      user: user,
      options: { _ in Self.brokered }
    )
  }

  @Test(arguments: ProbeUser.available)
  func `an extension has only what its plan names`(user: ProbeUser) throws {
    for result in try ProbeBench(user).attempt(ExtensionStateTests.checks, options: Self.brokered) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result) as \(user)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `no key of the host is found, and none is left for the next session`(user: ProbeUser) throws {
    try ReachTests.expectOwnKeys(user, options: Self.brokered)
  }

  @Test(arguments: ProbeUser.available)
  func `killing the host ends the broker and every process of the session`(user: ProbeUser) throws {
    // With the broker, and both processes of the session to come.
    try SessionEndTests.expectEnd(user, options: Self.brokered, processes: 20)
  }
}
