// SPDX-License-Identifier: Apache-2.0

/// The effect of a press of a control.
public enum ControlPressResult: Sendable {
  /// The extension of the control was launched.
  case session(HostedSession)
  /// The app of the control was opened.
  case applicationOpened(AppOpening)
}

/// The opening of an app by a control.
public struct AppOpening: Sendable, Hashable {
  /// The ID of the delivery that the app receives, with the app context.
  public let delivery: String
  /// The reason.
  public let reason: Reason

  /// The reason for which a control opened the app instead of launching its extension.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The control was pressed elsewhere than on the lock screen, or the control requires authentication.
    case control
    /// The app must request the permission to use the camera first.
    case permission
  }
}

/// The reason for which a press of a control has no effect.
public enum ControlRefusal: String, Sendable, Hashable, CaseIterable {
  /// The user has not unlocked the machine since it started.
  case beforeFirstUnlock
  /// The administrator forbids capture on the lock screen.
  case forbidden
  /// The extension is not installed, or does not match its installation.
  case notInstalled
  /// The administrator forbids the camera.
  case cameraRestricted
  /// A manifest has no usage description for the camera.
  case cameraUsageDescriptionMissing
  /// The user has not allowed the camera, and the app cannot be opened to request the permission.
  case cameraNotPermitted
  /// The user has selected other cameras.
  case cameraNotSelected
  /// The user must be prompted for the camera. Set ``HostConfiguration/deviceConsent``.
  case cameraPromptRequired
  /// The permissions of the app cannot be read.
  case permissionsUnreadable
  /// No camera was given.
  case cameraMissing
  /// Another session is in the foreground.
  case foregroundOccupied
  /// There is no space for captures.
  case insufficientSpace
  /// The app cannot be opened.
  case cannotOpen
  /// The user was not authenticated.
  case notAuthenticated
}
