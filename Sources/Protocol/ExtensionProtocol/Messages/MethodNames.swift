// SPDX-License-Identifier: Apache-2.0

/// The methods of messages from the host to the extension.
package enum HostMethod: String, CaseIterable, Sendable {
  /// Request: start the session.
  case sessionStart = "session/start"
  /// Notification: the session is about to end.
  case sessionWillDismiss = "session/willDismiss"
  /// Notification: a capture button changed its state.
  case captureEvent = "capture/event"
  /// Notification: a contact with the viewfinder changed.
  case pointerEvent = "pointer/event"
  /// Notification: another process changed the app context.
  case contextChanged = "context/changed"
  /// Notification: the camera has stopped.
  case cameraEnded = "camera/ended"
  /// Notification: the camera's properties changed.
  case cameraChanged = "camera/changed"
  /// Notification: the phase or the orientation of the session's scene changed.
  case sceneChanged = "scene/changed"
  /// Notification: the screen was locked or unlocked.
  case lockChanged = "lock/changed"
  /// Notification: the permissions of the app changed.
  case permissionChanged = "permission/changed"
  /// Notification: the watchdog's missing requirements changed.
  case requirementsChanged = "requirements/changed"
  /// Notification: the photo library changed.
  case photosChanged = "photos/changed"
  /// Notification: the user adjusted a camera control.
  case controlsChanged = "controls/changed"
  /// Notification: the appearance of the camera controls changed.
  case controlsAppearance = "controls/appearance"
  /// Notification: the space for captured content changed.
  case contentRoom = "content/room"
  /// Notification: the microphone has stopped.
  case microphoneEnded = "microphone/ended"
}

/// The methods of messages from the extension to the host.
package enum ExtensionMethod: String, CaseIterable, Sendable {
  /// Request: start the delivery of frames.
  case cameraStart = "camera/start"
  /// Request: stop the delivery of frames.
  case cameraStop = "camera/stop"
  /// Request: query the camera's settings.
  case cameraSettings = "camera/settings"
  /// Request: change a setting of the camera.
  case cameraSet = "camera/set"
  /// Request: subscribe to capture events.
  case captureSubscribe = "capture/subscribe"
  /// Request: unsubscribe from capture events.
  case captureUnsubscribe = "capture/unsubscribe"
  /// Request: play a sound for a capture event.
  case capturePlaySound = "capture/playSound"
  /// Request: subscribe to pointer events.
  case pointerSubscribe = "pointer/subscribe"
  /// Request: read the app context.
  case contextGet = "context/get"
  /// Request: replace the app context.
  case contextUpdate = "context/update"
  /// Request: end the session.
  case sessionDismiss = "session/dismiss"
  /// Request: open the app, which ends the session.
  case sessionOpenApplication = "session/openApplication"
  /// Request: erase the contents of the session directory.
  case sessionInvalidateContent = "session/invalidateContent"
  /// Request: begin an activity that should finish before the session ends.
  case sessionBeginActivity = "session/beginActivity"
  /// Request: end an activity.
  case sessionEndActivity = "session/endActivity"
  /// Request: query the permission for the photo library.
  case photosAuthorization = "photos/authorization"
  /// Request: add a file to the photo library.
  case photosAdd = "photos/add"
  /// Request: list the assets that the extension may read.
  case photosList = "photos/list"
  /// Request: expose the file of an asset.
  case photosOpen = "photos/open"
  /// Request: delete an asset.
  case photosDelete = "photos/delete"
  /// Request: replace the declared camera controls.
  case controlsDeclare = "controls/declare"
  /// Request: start the delivery of sound.
  case microphoneStart = "microphone/start"
  /// Request: stop the delivery of sound.
  case microphoneStop = "microphone/stop"
  /// Notification: the viewfinder displays a frame.
  case viewfinderPresented = "viewfinder/presented"
  /// Notification: a line for the session's log.
  case log = "log"
}
