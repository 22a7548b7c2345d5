// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
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
  /// Which of the bytes are keys.
  private var filter: TerminalKeys
  /// Whether the terminal is as it was before, for whoever has it meanwhile.
  private var isGivenBack = false
  /// Until when keys are left to whoever is in front of the terminal; nil: they are this session's.
  private var restsUntil: UInt64?
  /// How often it is asked whose turn it is, in nanoseconds, once it is somebody else's.
  private static let rest: UInt64 = 200_000_000
  /// Whether what is typed is meant for somebody else at the moment.
  package var isPaused = false

  /// Reads keys from a terminal, one at a time and without showing them, until this object goes away. Those that are
  /// typed out of turn are left to whoever reads them then; without a turn, the kernel sees to it.
  /// `filter` has seen what came before.
  package init(
    _ input: Int32,
    turn: TerminalTurn? = nil,
    filter: TerminalKeys = TerminalKeys()
  ) throws(SystemCallError) {
    mode = try TerminalMode.keys(input, turn: turn)
    self.turn = turn
    self.filter = filter
  }

  /// Makes the terminal as it was before: this process is about to be stopped.
  package func giveBack() {
    mode.giveBack()
    isGivenBack = true
  }

  /// Makes the terminal as it was before, because the session is over: what is typed from now on is somebody else's, and is
  /// shown. Behind the one in front it waits for the end of this object.
  package func end() {
    guard !(turn?.isBehind(mode.number) ?? CurrentProcess.isBehind(mode.number)) else { return }
    giveBack()
  }

  /// Takes keys again as soon as this process is in front of the terminal.
  package func takeAgain() { restsUntil = MonotonicClock.now }

  /// One line that says which keys there are.
  package static let help =
    "space: shutter   s: second button   d: dismiss   q: quit   "
    + "tab + - f h: camera controls (next, more, less, full screen, away)"

  /// The same for a line that has room for little.
  package static let shortHelp = "space: shutter  s: second  d: dismiss  q: quit"

  package var descriptor: Int32? { isPaused || restsUntil != nil ? nil : mode.number }
  package var nextMoment: UInt64? { isPaused ? nil : restsUntil }
  package func begin(at now: UInt64) {}

  package func commands(at now: UInt64) -> [SessionCommand] {
    let isAfterRest = restsUntil != nil
    let isBehind = turn?.isBehind(mode.number) ?? (isGivenBack && CurrentProcess.isBehind(mode.number))
    restsUntil = isBehind ? now + Self.rest : nil
    if isGivenBack, !isBehind {
      mode.takeAgain()
      isGivenBack = false
    }
    // Whether there are keys is to be seen first: to read could mean to wait.
    guard restsUntil == nil, !isAfterRest else { return [] }
    guard let keys = try? mode.read() else { return [.dismiss] }
    return filter.keys(keys).flatMap { key in
      Self.button(of: key).map(Self.press) ?? Self.commands(of: key)
    }
  }

  /// The button that a key presses; nil: none.
  static func button(of key: UInt8) -> CaptureButton? {
    switch key {
    case UInt8(ascii: " "): .primary
    case UInt8(ascii: "s"): .secondary
    default: nil
    }
  }

  /// What a key asks for that presses no button.
  static func commands(of key: UInt8) -> [SessionCommand] {
    switch key {
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
