// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Whether this machine lets the other suites of this module be run by an ordinary user.
@Suite(.waiting) struct OrdinaryUserTests {
  @Test(
    .enabled(
      if: ProbeUser.canBeOrdinary,
      "ordinary users may make no user namespaces here (user.max_user_namespaces, AppArmor's restriction)"
    )
  )
  func `every suite of this module runs as an ordinary user, too`() throws {
    let results = try ProbeBench(.ordinary).attempt(["exit=0"])
    #expect(results.map(\.verdict) == ["succeeded"])
  }
}
