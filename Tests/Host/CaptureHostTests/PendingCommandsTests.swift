// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Testing

@testable import CaptureHost

@Suite struct PendingCommandsTests {
  private static func pointer(_ phase: PointerPhase, _ x: Double, contact: Int = 0) -> SessionCommand {
    .pointer(PointerEvent(phase, x: x, y: 0, contact: contact))
  }

  private static let release = SessionCommand.capture(CaptureEvent(.primary, .ended))

  @Test func `moves of two contacts displace no other command`() {
    var pending = PendingCommands()
    for contact in 0...1 { pending.add([Self.pointer(.began, 0, contact: contact)]) }
    for x in 1...100 {
      for contact in 0...1 { pending.add([Self.pointer(.moved, Double(x), contact: contact)]) }
    }
    pending.add([Self.release])
    for contact in 0...1 { pending.add([Self.pointer(.ended, 100, contact: contact)]) }
    let expected = [
      Self.pointer(.began, 0), Self.pointer(.began, 0, contact: 1),
      Self.pointer(.moved, 100), Self.pointer(.moved, 100, contact: 1), Self.release,
      Self.pointer(.ended, 100), Self.pointer(.ended, 100, contact: 1),
    ]
    #expect(pending.takeAll() == expected)
    #expect(pending.takeFirst() == nil)
  }

  @Test func `a move after another event of its contact is a command of its own`() {
    var pending = PendingCommands()
    let commands = [
      Self.pointer(.began, 0), Self.pointer(.moved, 1), Self.pointer(.ended, 1), Self.pointer(.began, 2),
      Self.pointer(.moved, 3),
    ]
    for command in commands { pending.add([command]) }
    #expect(pending.takeFirst() == commands[0])
    #expect(pending.takeAll() == Array(commands.dropFirst()))
  }

  @Test func `a tap of a key is added completely, or not at all`() {
    var pending = PendingCommands()
    for _ in 1...63 { pending.add([.quit]) }
    pending.add([.capture(CaptureEvent(.primary, .began)), Self.release])
    pending.add([Self.release])
    pending.add([.dismiss])
    #expect(pending.takeAll() == Array(repeating: .quit, count: 63) + [Self.release])
  }
}
