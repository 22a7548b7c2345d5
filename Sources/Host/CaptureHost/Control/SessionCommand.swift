// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// A command to a session: from the keyboard, a script, or hardware.
package enum SessionCommand: Sendable, Hashable {
  /// A capture button was pressed, released, or cancelled.
  case capture(CaptureEvent)
  /// A contact with the viewfinder began, moved or ended. The position is in pixels of the picture.
  case pointer(PointerEvent)
  /// Dismiss the session with its grace period, for the user.
  case dismiss
  /// The power key was pressed: dismiss the session with its grace period.
  case power
  /// The screen was locked or unlocked.
  case lock(LockState)
  /// The device was rotated.
  case orientation(SceneOrientation)
  /// Terminate the session at once, without a grace period.
  case quit
  /// A camera control was adjusted.
  case cameraControl(CameraControlCommand)
}
