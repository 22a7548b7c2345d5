// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The checks of other suites, for a host with many open descriptors. The init of such a session shares the
/// host's descriptor table at first instead of copying it.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ManyDescriptorsTests {
  static let many = ["--descriptors", "400"]

  @Test(arguments: ProbeUser.available)
  func `no attack succeeds for a host with many descriptors`(user: ProbeUser) throws {
    try ProbeHarness(user).expectNoAttackSucceeds(options: Self.many)
  }

  @Test(arguments: ProbeUser.available, ["direct", "broker", "beside"])
  func `an extension of a host with many descriptors has only what its plan lists`(
    user: ProbeUser,
    launcher: String
  ) throws {
    let options = Self.many + ["--launcher", launcher]
    for result in try ProbeHarness(user).attempt(ExtensionStateTests.checks, options: options) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result) as \(user)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `descriptor numbers reserved for a launch are released`(user: ProbeUser) throws {
    let bench = try ProbeHarness(user)
    // The host keeps the descriptors of the first launch and the reserved numbers.
    let left = try [3, 30].map { times in
      let options = Self.many + ["--times", "\(times)"]
      let attempts = ["exit=0", "exit=0"]
      return try bench.output(bench.command(attempts, options: options, ownMounts: true)).dropFirst(2)
    }
    #expect(left[0].count == 2 && left[0] == left[1], "\(left)")
    #expect(left[0].last == "left\tchildren 0", "\(left)")
  }
}
