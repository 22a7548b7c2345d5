// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Whether an unprivileged user can run the other suites of this module.
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
