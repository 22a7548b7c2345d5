// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Resource limits of a session.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ResourceLimitTests {
  @Test(arguments: ProbeUser.available)
  func `processes, memory, descriptors and files are limited by the policy`(user: ProbeUser) throws {
    try expectProtected(
      [
        Attempt("processes={limit processes}"), Attempt("memory={limit addressSpace}"),
        Attempt("locked-memory={limit lockedMemory}"), Attempt("many-descriptors={limit descriptors}"),
        Attempt("file-size={limit fileSize}"), Attempt("file-size-memory={limit fileSize}"),
        Attempt("scratch=268435456", behind: "scratchSize", "limits"), Attempt("scratch-names=65536"),
      ],
      user: user
    )
  }

  /// The numbers are those of the shipped policy `base`, because without limits there are no values to
  /// substitute.
  @Test(arguments: ProbeUser.available)
  func `the same requests succeed without limits (control)`(user: ProbeUser) throws {
    let attempts = ["processes=256", "memory=8589934592", "locked-memory=65536", "file-size=4294967296"]
    for result in try ProbeHarness(user).attempt(attempts, without: ["limits"]) {
      // The session inherits a hard limit on locked memory from its host.
      let isInherited = result.name == "locked-memory" && result.text.hasSuffix("ENOMEM")
      #expect(result.verdict == "succeeded" || isInherited, "\(result)")
    }
  }
}
