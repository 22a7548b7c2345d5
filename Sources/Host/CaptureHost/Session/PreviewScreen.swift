// SPDX-License-Identifier: Apache-2.0

package import CameraSource

/// Where a viewfinder is shown: it gets a frame after the other, and never makes the session wait.
package protocol PreviewScreen: AnyObject {
  /// Whether anything is shown there any more.
  var isOpen: Bool { get }
  /// Whether a frame is on its way, which is to stay as it is until then.
  var isBusy: Bool { get }
  /// What to watch for room; nil while nothing waits for it.
  var writable: Int32? { get }
  /// What to watch for news from there; nil: none can come.
  var readable: Int32? { get }
  /// The ring from which the frames come.
  func begin(_ ring: PreviewRing)
  /// Begins to show a frame; the one before has gone out.
  func show(_ frame: PreviewRing.Frame)
  /// Goes on, after there was room or news.
  func flush()
  /// The session goes into another state, as people see it.
  func tell(_ state: PreviewState)
  /// The session is over: no frame comes any more.
  func finish()
  /// What the person wants who has a hand on it, once; nil: nothing.
  func takeCommand() -> SessionCommand?
}

extension PreviewScreen {
  /// Nobody can do more than look.
  package func takeCommand() -> SessionCommand? { nil }
}

/// The state of a session as a viewfinder shows it.
package enum PreviewState: String, Sendable {
  /// The extension has shown nothing yet.
  case starting
  /// The extension shows what it sees.
  case running
  /// The extension was dismissed, and may finish.
  case ending
  /// No process of the session is left.
  case ended
}
