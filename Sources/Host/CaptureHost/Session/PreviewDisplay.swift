// SPDX-License-Identifier: Apache-2.0

package import CameraSource

/// A display of a viewfinder. It receives the frames one after the other and never blocks the session.
package protocol PreviewDisplay: AnyObject {
  /// Whether the display is open.
  var isOpen: Bool { get }
  /// Whether a frame is being shown. The frame must not change until then.
  var isBusy: Bool { get }
  /// The descriptor to poll for space, or `nil` if no data is waiting.
  var writable: Int32? { get }
  /// The descriptor to poll for events, or `nil` if there are none.
  var readable: Int32? { get }
  /// Sets the ring that contains the frames.
  func begin(_ ring: PreviewRing)
  /// Starts to show a frame. The previous frame must be complete.
  func show(_ frame: PreviewRing.Frame)
  /// Continues after space became available or an event arrived.
  func flush()
  /// Reports a state of the session.
  func stateChanged(_ state: PreviewState)
  /// Sets whether contacts with the picture reach the extension. Initially, they do not.
  func setReceivingPointer(_ isReceiving: Bool)
  /// Closes the display, because no more frames follow.
  func finish()
  /// Returns the next command from the user at the display, or `nil` if there is none.
  func takeCommand() -> SessionCommand?
}

extension PreviewDisplay {
  /// Does nothing, for a display without contacts.
  package func setReceivingPointer(_ isReceiving: Bool) {}
  /// Returns `nil`, for a display without input.
  package func takeCommand() -> SessionCommand? { nil }
}

/// The state of a session as a viewfinder shows it.
package enum PreviewState: String, Sendable {
  /// The extension has shown no frame yet.
  case starting
  /// The extension has shown a frame.
  case running
  /// The session is ending.
  case ending
  /// No process of the session is left.
  case ended
}
