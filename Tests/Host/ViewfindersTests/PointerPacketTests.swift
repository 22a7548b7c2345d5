// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Testing
import ViewfinderLink

@testable import CaptureHost
@testable import Viewfinders

@Suite struct PointerPacketTests {
  @Test(arguments: [
    PointerPacket(.began, contact: 0, x: 0, y: 0),
    PointerPacket(.moved, contact: 15, x: -0.25, y: 1079.99609375),
    PointerPacket(.cancelled, contact: 1, x: 1e-7, y: 8_388_607.5),
  ])
  func `a message of the helper becomes the command of the user`(packet: PointerPacket) {
    #expect(PointerPacket(packet.text) == packet)
    let event = PointerEvent(packet.phase, x: packet.x, y: packet.y, contact: packet.contact)
    #expect(SessionCommand.commands(pointerPacket: packet.text) == [.pointer(event)])
  }

  @Test(arguments: [
    "", "began", "began 0 1", "began 0 1 2 3", "began  0 1 2", "pressed 0 1 2", "began x 1 2",
    "began 0 nan 2",
    "began 0 1 inf", "began 99999999999999999999 1 2",
  ])
  func `ignores a malformed message`(text: String) {
    #expect(PointerPacket(text) == nil && SessionCommand.commands(pointerPacket: text) == [])
  }
}
