// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// What a person does to a session, by keys, by a script, or through hardware.
package enum SessionCommand: Sendable, Hashable {
  /// A capture button goes down, comes up, or is taken away.
  case capture(CaptureEvent)
  /// The person is done: the session is dismissed with its grace.
  case dismiss
  /// The power key is pressed: the session is dismissed with its grace.
  case power
  /// The machine is locked or unlocked.
  case lock(LockState)
  /// The machine is turned.
  case orientation(SceneOrientation)
  /// The person wants it gone now: the session is ended without grace.
  case quit
  /// The person adjusts the camera.
  case cameraControl(CameraControlCommand)
}
