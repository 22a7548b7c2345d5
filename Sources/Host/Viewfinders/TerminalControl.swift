// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import ExtensionProtocol
package import LinuxPrimitives

/// Session control by keys of a terminal: space is the shutter, `s` the secondary button, `d` dismisses, `q`
/// quits.
///
/// Camera controls also have keys: tab selects the next control, `+` and `-` adjust it, `f` shows the
/// controls full screen, and `h` hides them.
///
/// A terminal reports only key presses, so each key is a press and a release.
package final class TerminalControl: SessionControl {
  private let mode: TerminalMode
  private let turn: TerminalJobControl?
  /// The filter that recognizes keys among the received bytes.
  private var filter: TerminalKeyFilter
  /// Whether the terminal has its original mode again, for other programs.
  private var isRestored = false
  /// The time until which keys are left to the foreground process group, or `nil` if this session reads them.
  private var pausedUntil: UInt64?
  /// The interval of foreground checks while this process is in the background, in nanoseconds.
  private static let foregroundPollInterval: UInt64 = 200_000_000
  /// Whether typed keys are currently meant for another program.
  package var isPaused = false

  /// Creates a control that reads single keys without echo until it is deallocated.
  ///
  /// Keys that are typed while this process is in the background are left to the foreground process group.
  /// Without `turn`, the kernel enforces that.
  ///
  /// - Parameters:
  ///   - input: The descriptor of the terminal.
  ///   - turn: The foreground check, or `nil` for the kernel's job control.
  ///   - filter: A key filter that has processed earlier bytes.
  /// - Throws: An error if the terminal mode cannot be changed.
  package init(
    _ input: Int32,
    turn: TerminalJobControl? = nil,
    filter: TerminalKeyFilter = TerminalKeyFilter()
  ) throws(SystemCallError) {
    mode = try TerminalMode.cbreak(input, turn: turn)
    self.turn = turn
    self.filter = filter
  }

  /// Restores the original mode of the terminal before this process is stopped.
  package func restoreTerminal() {
    mode.suspend()
    isRestored = true
  }

  /// Restores the original mode of the terminal because the session has ended: later keys are for other
  /// programs, with echo. In the background, the mode is restored when this object is deallocated.
  package func end() {
    guard !(turn?.isInBackground(mode.number) ?? CurrentProcess.isInBackground(mode.number)) else { return }
    restoreTerminal()
  }

  /// Reads keys again as soon as this process is in the foreground.
  package func resume() { pausedUntil = MonotonicClock.now }

  /// A line with all keys.
  package static let help =
    "space: shutter   s: second button   d: dismiss   q: quit   "
    + "tab + - f h: camera controls (next, increase, decrease, full screen, hide)"

  /// A line with the most important keys.
  package static let shortHelp = "space: shutter  s: second  d: dismiss  q: quit"

  package var descriptor: Int32? { isPaused || pausedUntil != nil ? nil : mode.number }
  package var nextDeadline: UInt64? { isPaused ? nil : pausedUntil }
  package func begin(at now: UInt64) {}

  package func commands(at now: UInt64) -> [SessionCommand] {
    let isAfterRest = pausedUntil != nil
    let isInBackground =
      turn?.isInBackground(mode.number) ?? (isRestored && CurrentProcess.isInBackground(mode.number))
    pausedUntil = isInBackground ? now + Self.foregroundPollInterval : nil
    if isRestored, !isInBackground {
      mode.resume()
      isRestored = false
    }
    // After a pause, wait for poll(2) to report keys, because reading could block.
    guard pausedUntil == nil, !isAfterRest else { return [] }
    guard let keys = try? mode.read() else { return [.dismiss] }
    return filter.keys(keys).flatMap { key in
      Self.button(of: key).map(Self.press) ?? Self.commands(of: key)
    }
  }

  /// Returns the button for a key, or `nil` if the key is not a button.
  static func button(of key: UInt8) -> CaptureButton? {
    switch key {
    case UInt8(ascii: " "): .primary
    case UInt8(ascii: "s"): .secondary
    default: nil
    }
  }

  /// Returns the commands for a key that is not a button.
  static func commands(of key: UInt8) -> [SessionCommand] {
    switch key {
    case UInt8(ascii: "d"): [.dismiss]
    case UInt8(ascii: "q"): [.quit]
    case UInt8(ascii: "\t"): [.cameraControl(.next)]
    case UInt8(ascii: "+"), UInt8(ascii: "="): [.cameraControl(.step(nil, steps: 1))]
    case UInt8(ascii: "-"): [.cameraControl(.step(nil, steps: -1))]
    case UInt8(ascii: "f"): [.cameraControl(.toggleFullscreen)]
    case UInt8(ascii: "h"): [.cameraControl(.show(.inactive))]
    default: []
    }
  }

  private static func press(_ button: CaptureButton) -> [SessionCommand] {
    [.capture(CaptureEvent(button, .began)), .capture(CaptureEvent(button, .ended))]
  }
}
