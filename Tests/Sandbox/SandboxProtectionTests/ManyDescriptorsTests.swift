// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The checks of other suites, for a host with many open descriptors. The init of such a session shares the
/// host's descriptor table at first instead of copying it.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ManyDescriptorsTests {
  static let many = ["--descriptors", "400"]

  @Test(arguments: ProbeUser.available)
  func `no attack gets through`(user: ProbeUser) throws {
    try ProbeBench(user).expectNothingGetsThrough(options: Self.many)
  }

  @Test(arguments: ProbeUser.available, ["direct", "broker", "beside"])
  func `an extension has only what its plan names`(user: ProbeUser, launcher: String) throws {
    let options = Self.many + ["--launcher", launcher]
    for result in try ProbeBench(user).attempt(ExtensionStateTests.checks, options: options) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result) as \(user)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `what is lent for a launch is taken back`(user: ProbeUser) throws {
    let bench = try ProbeBench(user)
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
