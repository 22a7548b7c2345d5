// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import SessionSimulation
import Testing

@Suite struct SessionScriptTests {
  @Test func `parses a script into timed commands`() throws {
    let script = try SessionScript(
      """
      # a comment
      wait 500ms
      press primary   # another
      hold secondary 1.5s

      dismiss
      """,
      name: "s"
    )
    #expect(script.timedCommands.map(\.time) == [500, 500, 500, 2000, 2000].map { $0 * 1_000_000 })
    #expect(script.timedCommands.last?.command == .dismiss)
    #expect(script.timedCommands[3].command == .capture(CaptureEvent(.secondary, .ended)))
  }

  @Test func `parses remote presses`() throws {
    let script = try SessionScript("press remote\nhold remote secondary 2s\ncancel remote primary", name: "s")
    let expected: [(CaptureButton, CapturePhase)] = [
      (.primary, .began), (.primary, .ended), (.secondary, .began), (.secondary, .ended),
      (.primary, .cancelled),
    ]
    #expect(
      script.timedCommands.map(\.command)
        == expected.map { .capture(CaptureEvent($0.0, $0.1, from: .remote)) }
    )
    #expect(script.timedCommands.map(\.time) == [0, 0, 0, 2, 2].map { $0 * 1_000_000_000 })
  }

  @Test func `plays other steps while a button is down`() throws {
    let script = try SessionScript("down remote primary\nwait 2s\ndismiss\nup remote primary", name: "s")
    let began = CaptureEvent(.primary, .began, from: .remote)
    let ended = CaptureEvent(.primary, .ended, from: .remote)
    #expect(script.timedCommands.map(\.command) == [.capture(began), .dismiss, .capture(ended)])
    #expect(script.timedCommands.map(\.time) == [0, 2, 2].map { $0 * 1_000_000_000 })
  }

  @Test func `parses taps and drags into touches`() throws {
    let script = try SessionScript(
      "tap 320 240.5\ntap 1 2 for 2s\ndrag 0 10 to 30 40 in 50ms",
      name: "s"
    )
    func touch(_ phase: PointerPhase, _ x: Double, _ y: Double) -> SessionCommand {
      .pointer(PointerEvent(phase, x: x, y: y))
    }
    #expect(
      script.timedCommands.map(\.command) == [
        touch(.began, 320, 240.5), touch(.ended, 320, 240.5), touch(.began, 1, 2), touch(.ended, 1, 2),
        touch(.began, 0, 10), touch(.moved, 10, 20), touch(.moved, 20, 30), touch(.moved, 30, 40),
        touch(.ended, 30, 40),
      ]
    )
    let start: UInt64 = 2_000_000_000
    let third: UInt64 = 50_000_000 / 3
    #expect(
      script.timedCommands.map(\.time)
        == [0, 0, 0, start, start, start + third, start + 2 * third, start + 3 * third, start + 3 * third]
    )
    // A long drag has a limited number of moves.
    #expect(try SessionScript("drag 0 0 to 1 1 in 60m", name: "s").timedCommands.count == 122)
  }

  @Test(arguments: [
    (
      "jump",
      "s:1: unknown step 'jump'; use wait, press, hold, down, up, cancel, tap, drag, adjust, select, controls, dismiss, power, "
        + "lock, unlock, orientation, quit, await, expect, given, grant, revoke, unplug, camera, space or context"
    ),
    ("\nwait soon", "s:2: 'soon' is not a duration of at most one day; write for example 500ms, 2s or 1m"),
    ("wait -1s", "s:1: '-1s' is not a duration of at most one day; write for example 500ms, 2s or 1m"),
    ("wait 2000m", "s:1: '2000m' is not a duration of at most one day; write for example 500ms, 2s or 1m"),
    ("wait nans", "s:1: 'nans' is not a duration of at most one day; write for example 500ms, 2s or 1m"),
    ("press third", "s:1: unknown button 'third'; use primary or secondary"),
    ("press remote third", "s:1: unknown button 'third'; use primary or secondary"),
    ("hold remote 2s", "s:1: wrong operands for 'hold'; write hold secondary 2s"),
    ("hold primary", "s:1: wrong operands for 'hold'; write hold secondary 2s"),
    ("down primary 2s", "s:1: wrong operands for 'down'; write down primary"),
    ("up", "s:1: wrong operands for 'up'; write up primary"),
    ("tap 1", "s:1: wrong operands for 'tap'; write tap 320 240, or tap 320 240 for 1s"),
    ("tap 1 2 in 1s", "s:1: wrong operands for 'tap'; write tap 320 240, or tap 320 240 for 1s"),
    (
      "tap -1 2", "s:1: '-1' is not a distance in pixels; write a number of at least 0 and less than 16384"
    ),
    (
      "tap nan 2", "s:1: 'nan' is not a distance in pixels; write a number of at least 0 and less than 16384"
    ),
    ("drag 1 2 3 4 1s", "s:1: wrong operands for 'drag'; write drag 10 240 to 310 240 in 500ms"),
    ("dismiss now", "s:1: wrong operands for 'dismiss'; write dismiss without operands"),
  ])
  func `a parse error has its line and a fix`(text: String, message: String) {
    let error = #expect(throws: ScriptError.self) { try SessionScript(text, name: "s") }
    #expect(error?.description == message)
  }

  @Test func `plays each command once from the time of the start`() throws {
    let control = ScriptedControl(try SessionScript("wait 1s\npress\nwait 1s\nquit", name: "s"))
    #expect(control.nextDeadline == nil)
    #expect(control.commands(at: 10_000_000_000) == [])
    control.begin(at: 5)
    control.begin(at: 99)
    #expect(control.nextDeadline == 1_000_000_005)
    #expect(control.commands(at: 1_000_000_005).count == 2)
    #expect(control.commands(at: 1_000_000_005) == [])
    #expect(control.commands(at: 3_000_000_000) == [.quit])
    #expect(control.nextDeadline == nil)
  }
}
