// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import LinuxPrimitives

/// Keys of a terminal: space presses the shutter, `s` the secondary button, `d` dismisses, `q` quits.
///
/// The camera controls have keys, too: tab takes up the next one, `+` and `-` turn it, `f` lets them fill the display, and `h`
/// puts them away.
///
/// A terminal reports only presses, so that each key is a press and a release.
package final class TerminalControl: SessionControl {
  private let mode: TerminalMode
  private let turn: TerminalTurn?
  /// Until when keys are left to whoever is in front of the terminal; nil: they are this session's.
  private var restsUntil: UInt64?
  /// How often it is asked whose turn it is, in nanoseconds, once it is somebody else's.
  private static let rest: UInt64 = 200_000_000
  /// Whether what is typed is meant for somebody else at the moment.
  package var isPaused = false

  /// Reads keys from a terminal, one at a time and without showing them, until this object goes away. Those that are
  /// typed out of turn are left to whoever reads them then; without a turn, the kernel sees to it.
  package init(_ input: Int32, turn: TerminalTurn? = nil) throws(SystemCallError) {
    mode = try TerminalMode.keys(input, turn: turn)
    self.turn = turn
  }

  /// One line that says which keys there are.
  package static let help =
    "space: shutter   s: second button   d: dismiss   q: quit   "
    + "tab + - f h: camera controls (next, more, less, full screen, away)"

  package var descriptor: Int32? { isPaused || restsUntil != nil ? nil : mode.number }
  package var nextMoment: UInt64? { restsUntil }
  package func begin(at now: UInt64) {}

  package func commands(at now: UInt64) -> [SessionCommand] {
    let isAfterRest = restsUntil != nil
    restsUntil = turn?.isBehind(mode.number) == true ? now + Self.rest : nil
    // Whether there are keys is to be seen first: to read could mean to wait.
    guard restsUntil == nil, !isAfterRest else { return [] }
    guard let keys = try? mode.read() else { return [.dismiss] }
    return keys.flatMap(Self.commands)
  }

  private static func commands(for key: UInt8) -> [SessionCommand] {
    switch key {
    case UInt8(ascii: " "): press(.primary)
    case UInt8(ascii: "s"): press(.secondary)
    case UInt8(ascii: "d"): [.dismiss]
    case UInt8(ascii: "q"): [.quit]
    case UInt8(ascii: "\t"): [.cameraControl(.next)]
    case UInt8(ascii: "+"), UInt8(ascii: "="): [.cameraControl(.turn(nil, steps: 1))]
    case UInt8(ascii: "-"): [.cameraControl(.turn(nil, steps: -1))]
    case UInt8(ascii: "f"): [.cameraControl(.toggleFullscreen)]
    case UInt8(ascii: "h"): [.cameraControl(.show(.inactive))]
    default: []
    }
  }

  private static func press(_ button: CaptureButton) -> [SessionCommand] {
    [.capture(CaptureEvent(button, .began)), .capture(CaptureEvent(button, .ended))]
  }
}
