// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Testing

@testable import CaptureHost
@testable import Viewfinders

@Suite struct WindowKeysTests {
  private static func event(_ button: CaptureButton, _ phase: CapturePhase) -> SessionCommand {
    .capture(CaptureEvent(button, phase))
  }

  /// Returns the commands for a pressed key.
  private func press(_ text: String, _ keys: inout WindowKeys) -> [SessionCommand] {
    keys.press(Array(text.utf8))
  }

  @Test func `the shutter is pressed while its key is down`() {
    var keys = WindowKeys()
    #expect(press("57  ", &keys) == [Self.event(.primary, .began)])
    #expect(press("31 s", &keys) == [Self.event(.secondary, .began)])
    #expect(keys.release(Array("57".utf8)) == [Self.event(.primary, .ended)])
    #expect(keys.release(Array("57".utf8)) == [])
    #expect(keys.cancelAll() == [Self.event(.secondary, .cancelled)])
    #expect(keys.release(Array("31".utf8)) == [] && keys.cancelAll() == [])
  }

  @Test func `the first of two keys for one button holds it`() {
    var keys = WindowKeys()
    #expect(press("57  ", &keys).count == 1)
    #expect(press("99  ", &keys) == [])
    #expect(keys.release(Array("99".utf8)) == [])
    #expect(keys.release(Array("57".utf8)) == [Self.event(.primary, .ended)])
  }

  @Test func `all other keys act like terminal keys, once per press`() {
    var keys = WindowKeys()
    #expect(press("32 d", &keys) == [.dismiss] && keys.release(Array("32".utf8)) == [])
    #expect(press("16 q", &keys) == [.quit])
    #expect(press("13 +", &keys) == [.cameraControl(.step(nil, steps: 1))])
  }

  @Test(arguments: ["", "57", "57 ", "x d", "32 dd", "32 é", "4294967296 d", "-1 d", "32 \u{3}", " d"])
  func `ignores input that is not a session key`(text: String) {
    var keys = WindowKeys()
    #expect(press(text, &keys) == [])
  }
}
