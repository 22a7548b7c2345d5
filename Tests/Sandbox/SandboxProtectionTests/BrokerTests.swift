// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// The checks of other suites, for brokered sessions and for sessions in reused networks, whose processes run
/// concurrently.
@Suite(.timeLimit(.minutes(20)), .waiting) struct BrokerTests {
  /// The options for launches by a broker.
  static let brokered = ["--launcher", "broker"]
  /// The options for launches in reused networks.
  static let beside = ["--launcher", "beside"]

  @Test(arguments: ProbeUser.available, [brokered, beside])
  func `no attack gets through`(user: ProbeUser, options: [String]) throws {
    try ProbeBench(user).expectNothingGetsThrough(options: options)
  }

  @Test(arguments: ProbeUser.available, [brokered, beside])
  func `what a layer refuses gets through without it`(user: ProbeUser, options: [String]) throws {
    try expectProtected(
      [Attempt("kill-init", behind: "landlock"), Attempt("stop-init", behind: "landlock")],
      user: user,
      options: { _ in options }
    )
  }

  @Test(arguments: ProbeUser.available, [brokered, beside])
  func `an extension has only what its plan names`(user: ProbeUser, options: [String]) throws {
    for result in try ProbeBench(user).attempt(ExtensionStateTests.checks, options: options) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result) as \(user)")
    }
  }

  @Test(arguments: ProbeUser.available, [brokered, beside])
  func `no key of the host is found, and none is left for the next session`(
    user: ProbeUser,
    options: [String]
  ) throws {
    try ReachTests.expectOwnKeys(user, options: options)
  }

  // The counts include the broker and both processes of its next prepared session.
  @Test(arguments: ProbeUser.available, [(brokered, 20), (beside, 18)])
  func `killing the host ends the broker and every process of the session`(
    user: ProbeUser,
    way: (options: [String], processes: Int)
  ) throws {
    try SessionEndTests.expectEnd(user, options: way.options, processes: way.processes)
  }
}
