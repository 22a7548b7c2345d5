// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Whether an unprivileged user can run the other suites of this module.
@Suite(.waiting) struct UnprivilegedUserTests {
  @Test(
    .enabled(
      if: ProbeUser.canRunUnprivileged,
      "ordinary users may make no user namespaces here (user.max_user_namespaces, AppArmor's restriction)"
    )
  )
  func `unprivileged users can run every suite of this module`() throws {
    let results = try ProbeHarness(.unprivileged).attempt(["exit=0"])
    #expect(results.map(\.verdict) == ["succeeded"])
  }
}
