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
  private let input: Int32
  private let isSuspended: () -> Bool
  /// Whether what is typed is meant for somebody else at the moment.
  package var isPaused = false

  /// Reads keys from a terminal, one at a time and without showing them, until this object goes away. Those that are
  /// typed while `isSuspended` says so are left to whoever reads them then.
  package init(_ input: Int32, isSuspended: @escaping () -> Bool = { false }) throws(SystemCallError) {
    mode = try TerminalMode.keys(input)
    self.input = input
    self.isSuspended = isSuspended
  }

  /// One line that says which keys there are.
  package static let help =
    "space: shutter   s: second button   d: dismiss   q: quit   "
    + "tab + - f h: camera controls (next, more, less, full screen, away)"

  package var descriptor: Int32? { isPaused || isSuspended() ? nil : input }
  package var nextMoment: UInt64? { nil }
  package func begin(at now: UInt64) {}

  package func commands(at now: UInt64) -> [SessionCommand] {
    guard !isSuspended() else { return [] }
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
