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
}

/// The methods with which the extension calls the host.
package enum ExtensionMethod: String, CaseIterable, Sendable {
  /// Request: let frames flow.
  case cameraStart = "camera/start"
  /// Request: let no more frames flow.
  case cameraStop = "camera/stop"
  /// Request: send capture events.
  case captureSubscribe = "capture/subscribe"
  /// Request: read the app context.
  case contextGet = "context/get"
  /// Request: replace the app context.
  case contextUpdate = "context/update"
  /// Request: end the session.
  case sessionDismiss = "session/dismiss"
  /// Notification: a frame is on the viewfinder.
  case viewfinderPresented = "viewfinder/presented"
  /// Notification: a line for the session's log.
  case log = "log"
}
