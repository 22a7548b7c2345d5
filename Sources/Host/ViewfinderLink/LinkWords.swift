// SPDX-License-Identifier: Apache-2.0

/// The kinds of packets from the host. The first byte is the kind, followed by the payload.
package enum HostMessageKind: Character, Sendable {
  /// The terminal to use, with its descriptor. Payload: its original keyboard mode (``TerminalState/bytes``).
  case terminal = "t"
  /// The frame ring of the viewfinder, with its descriptor. Payload: its header.
  case ring = "g"
  /// A frame to show. Payload: its number.
  case frame = "f"
  /// The state of the session. Payload: its name.
  case state = "s"
  /// Another program uses the terminal for now.
  case pause = "p"
  /// The helper may use the terminal again.
  case resume = "r"
  /// The session has ended. Payload: the outcome, or empty.
  case end = "e"
  /// The content of a lock screen. Payload: ``LockScreenContent/text``.
  case lockScreen = "h"
  /// A request to unlock the screen.
  case unlock = "o"
}

/// The kinds of packets from a viewfinder helper. The first byte is the kind, followed by the payload.
package enum HelperMessageKind: Character, Sendable {
  /// The last shown frame can be overwritten.
  case done = "d"
  /// The terminal was released to another program.
  case terminalReleased = "p"
  /// The window exists, although it shows nothing yet.
  case ready = "r"
  /// Nothing can be shown. Payload: the reason.
  case refused = "x"
  /// The user closed the window.
  case closed = "c"
  /// A key was pressed. Payload: its number, a space, and the text that it types.
  case pressed = "k"
  /// A key was released. Payload: its number.
  case released = "u"
  /// The window lost the keyboard focus while keys may be down.
  case keyboardFocusLost = "l"
  /// A contact with the picture changed. Payload: ``PointerPacket/text``.
  case pointer = "m"
  /// The camera button was pressed.
  case camera = "b"
  /// A summary of the shown frames.
  case summary = "n"
}
