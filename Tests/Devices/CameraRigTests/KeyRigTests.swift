// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Keys of input devices, from the driver to the session.
@Suite(.timeLimit(.minutes(20)), .waitingFirst) struct KeyRigTests {
  @Test func `keys press the buttons of sessions and the controls that they are bound to`() throws {
    let result = try CameraRig(.keys).result("keys")
    #expect(result.code == 0, "\(result.standardOutput) \(result.standardError)")
    let passed = result.standardOutput.split(separator: "\n").filter { $0.hasPrefix("ok: ") }
    #expect(passed.count == 14, "\(result.standardOutput)")
  }
}
