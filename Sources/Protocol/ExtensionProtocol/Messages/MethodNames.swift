// SPDX-License-Identifier: Apache-2.0

/// The methods with which the host calls the extension.
package enum HostMethod: String, CaseIterable, Sendable {
  /// Request: the session begins.
  case sessionStart = "session/start"
  /// Notification: the session is about to end.
  case sessionWillDismiss = "session/willDismiss"
  /// Notification: a capture button moved.
  case captureEvent = "capture/event"
  /// Notification: somebody else has changed the app context.
  case contextChanged = "context/changed"
  /// Notification: no more frames come.
  case cameraEnded = "camera/ended"
  /// Notification: the camera goes on otherwise than before.
  case cameraChanged = "camera/changed"
  /// Notification: the session stands otherwise before the person.
  case sceneChanged = "scene/changed"
  /// Notification: the machine was locked or unlocked.
  case lockChanged = "lock/changed"
  /// Notification: the app may use more, or less.
  case permissionChanged = "permission/changed"
  /// Notification: what the watchdog still misses.
  case requirementsChanged = "requirements/changed"
  /// Notification: the photo library is no longer what it was.
  case photosChanged = "photos/changed"
  /// Notification: the person has adjusted a camera control.
  case controlsChanged = "controls/changed"
  /// Notification: the camera controls stand otherwise before the person.
  case controlsAppearance = "controls/appearance"
  /// Notification: how much room there is for what is captured.
  case contentRoom = "content/room"
  /// Notification: no more sound comes.
  case microphoneEnded = "microphone/ended"
}

/// The methods with which the extension calls the host.
package enum ExtensionMethod: String, CaseIterable, Sendable {
  /// Request: let frames flow.
  case cameraStart = "camera/start"
  /// Request: let no more frames flow.
  case cameraStop = "camera/stop"
  /// Request: what the camera can be set to.
  case cameraSettings = "camera/settings"
  /// Request: set something at the camera.
  case cameraSet = "camera/set"
  /// Request: send capture events.
  case captureSubscribe = "capture/subscribe"
  /// Request: send no more capture events.
  case captureUnsubscribe = "capture/unsubscribe"
  /// Request: play a sound for a capture event.
  case capturePlaySound = "capture/playSound"
  /// Request: read the app context.
  case contextGet = "context/get"
  /// Request: replace the app context.
  case contextUpdate = "context/update"
  /// Request: end the session.
  case sessionDismiss = "session/dismiss"
  /// Request: open the app, which ends the session.
  case sessionOpenApplication = "session/openApplication"
  /// Request: erase what is in the session directory now.
  case sessionInvalidateContent = "session/invalidateContent"
  /// Request: something begins that should be finished before the session ends.
  case sessionBeginActivity = "session/beginActivity"
  /// Request: it is finished.
  case sessionEndActivity = "session/endActivity"
  /// Request: what the photo library allows.
  case photosAuthorization = "photos/authorization"
  /// Request: put a file into the photo library.
  case photosAdd = "photos/add"
  /// Request: the assets that may be seen.
  case photosList = "photos/list"
  /// Request: show an asset's file.
  case photosOpen = "photos/open"
  /// Request: delete an asset.
  case photosDelete = "photos/delete"
  /// Request: show these camera controls.
  case controlsDeclare = "controls/declare"
  /// Request: let sound flow.
  case microphoneStart = "microphone/start"
  /// Request: let no more sound flow.
  case microphoneStop = "microphone/stop"
  /// Notification: a frame is on the viewfinder.
  case viewfinderPresented = "viewfinder/presented"
  /// Notification: a line for the session's log.
  case log = "log"
}
