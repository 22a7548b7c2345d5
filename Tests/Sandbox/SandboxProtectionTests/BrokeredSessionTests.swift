// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// The checks of other suites, for brokered sessions and for sessions in reused networks, whose processes run
/// concurrently.
@Suite(.timeLimit(.minutes(20)), .waiting) struct BrokeredSessionTests {
  /// The options for launches by a broker.
  static let brokered = ["--launcher", "broker"]
  /// The options for launches in reused networks.
  static let inReusedNetwork = ["--launcher", "beside"]

  @Test(arguments: ProbeUser.available, [brokered, inReusedNetwork])
  func `no attack succeeds in a brokered session or a reused network`(user: ProbeUser, options: [String])
    throws
  {
    try ProbeHarness(user).expectNoAttackSucceeds(options: options)
  }

  @Test(arguments: ProbeUser.available, [brokered, inReusedNetwork])
  func `attacks on the session init succeed if their layer is removed`(user: ProbeUser, options: [String])
    throws
  {
    try expectProtected(
      [Attempt("kill-init", behind: "landlock"), Attempt("stop-init", behind: "landlock")],
      user: user,
      options: { _ in options }
    )
  }

  @Test(arguments: ProbeUser.available, [brokered, inReusedNetwork])
  func `a brokered extension has only what its plan lists`(user: ProbeUser, options: [String]) throws {
    for result in try ProbeHarness(user).attempt(ExtensionStateTests.checks, options: options) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result) as \(user)")
    }
  }

  @Test(arguments: ProbeUser.available, [brokered, inReusedNetwork])
  func `a brokered session finds no keys of the host or of an earlier session`(
    user: ProbeUser,
    options: [String]
  ) throws {
    try HostAccessTests.expectNoForeignKeys(user, options: options)
  }

  // The counts include the broker and both processes of its next prepared session.
  @Test(arguments: ProbeUser.available, [(brokered, 20), (inReusedNetwork, 18)])
  func `killing the host kills the broker and every process of the session`(
    user: ProbeUser,
    launch: (options: [String], processes: Int)
  ) throws {
    try SessionTerminationTests.expectTermination(user, options: launch.options, processes: launch.processes)
  }
}
