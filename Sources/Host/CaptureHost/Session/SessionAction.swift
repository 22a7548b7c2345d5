// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import JSONText
package import LinuxPrimitives

/// An action that the session's state machine requests from its driver.
package enum SessionAction: Sendable, Equatable {
  /// Send a message.
  case send(HostMessage)
  /// Start the frames.
  case startCamera(FrameDelivery)
  /// Stop the frames. An extension that reads them from standard input reads the end of the file.
  case stopCamera
  /// Return or change the settings of the camera, and answer the request.
  case adjustCamera(CameraAdjustmentRequest, RequestID)
  /// Stop the frames and erase the ring, because the camera permission was revoked.
  case revokeCamera
  /// Start the sound.
  case startMicrophone(FrameDelivery)
  /// Stop the sound.
  case stopMicrophone
  /// Stop the sound and erase the ring, because the microphone permission was revoked.
  case revokeMicrophone
  /// Start the clock of the control, because the extension accepts input.
  case beginControl
  /// Start to read the orientation sensor, because the extension supports several orientations.
  case readOrientation
  /// Answer the request with the app context.
  case readContext(RequestID)
  /// Store the app context and answer the request.
  case writeContext(JSONValue, ifStored: JSONValue?, RequestID)
  /// Check whether the app can be opened.
  case checkApplication
  /// Authenticate the user. The text is the purpose.
  case authenticate(String)
  /// Cancel the authentication.
  case cancelAuthentication
  /// Write the delivery to disk, so that the app receives it after the migration, even if the host is killed.
  case noteDelivery(UserActivity)
  /// Erase the content of the session directory and answer the request.
  case eraseContent(RequestID)
  /// Pass the request to the photo library, which answers it.
  case requestPhotos(PhotoRequest, RequestID)
  /// Notify the photo library of the lock state and the permissions.
  case notifyPhotoLibrary(LockState, Permissions)
  /// Play a sound, answer the request if there is one, and notify the machine if the sound is played.
  case playSound(SoundRequest, RequestID?)
  /// Send a signal to the extension.
  case signal(Signal)
  /// Kill every process of the session.
  case kill
  /// Notify the user who debugs the extension.
  case notifyDebugger(DebuggerEvent)
  /// Restart the deadlines of the driver.
  case renewDeadlines
  /// Allow or prevent the growth of files.
  case limitFileSizes(FileSizeLimiter.State)
  /// Write a line to the session's log.
  case log(LogLevel, String)
}
