// SPDX-License-Identifier: Apache-2.0

/// What a packet of the host begins with, and what follows.
package enum HostWord: Character, Sendable {
  /// The terminal to show things in, with its descriptor: how it gave keys before (``TerminalState/bytes``).
  case terminal = "t"
  /// The ring of the viewfinder, with its descriptor: its header.
  case ring = "g"
  /// A frame is to be shown: its number.
  case frame = "f"
  /// The session's state: its word.
  case state = "s"
  /// The terminal is somebody else's for a while.
  case pause = "p"
  /// It is not any more.
  case resume = "r"
  /// The session is over: the outcome, or nothing.
  case end = "e"
  /// What a lock screen shows: ``LockFace/text``.
  case face = "h"
  /// The screen is to be unlocked.
  case unlock = "o"
}

/// What a packet of a program that shows a viewfinder begins with, and what follows.
package enum ProgramWord: Character, Sendable {
  /// The frame that was shown last can be drawn over.
  case done = "d"
  /// The terminal is somebody else's now.
  case left = "p"
  /// The window is there, although it shows nothing yet.
  case ready = "r"
  /// Nothing can be shown: the reason.
  case refused = "x"
  /// The person has closed the window.
  case closed = "c"
  /// A key is down: its number, a space, and what it types.
  case pressed = "k"
  /// A key is up: its number.
  case released = "u"
  /// Keys that are down are somebody else's from now on.
  case leftKeys = "l"
  /// The button of the camera is pressed.
  case camera = "b"
  /// What there is to say of the frames that were shown.
  case total = "n"
}
