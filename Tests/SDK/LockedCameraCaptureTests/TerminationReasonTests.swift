// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

@testable import LockedCameraCapture

@Suite struct TerminationReasonTests {
  @Test(arguments: ["user", "person"])
  func `a dismissal by the user has the same cause in records of all versions`(name: String) {
    #expect(
      TerminationReason(["kind": "dismissed", "by": .string(name)]) == .dismissed(by: "user")
    )
  }
}
