// SPDX-License-Identifier: Apache-2.0
// The constants have the names of Apple's C interface.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
public import LockedCameraCapture

extension AVCaptureSession {
  /// A reason for which a session was interrupted.
  public enum InterruptionReason: Int, Sendable {
    /// The session is no longer in the foreground; the only reason here.
    case videoDeviceNotAvailableInBackground = 1
    /// Another client uses the microphone.
    case audioDeviceInUseByAnotherClient = 2
    /// Another client uses the camera.
    case videoDeviceInUseByAnotherClient = 3
    /// Several apps are in the foreground.
    case videoDeviceNotAvailableWithMultipleForegroundApps = 4
    /// The machine is too hot.
    case videoDeviceNotAvailableDueToSystemPressure = 5
  }

  // MARK: Notifications. They are posted on the main thread; their object is the session.

  /// The session has ended because of an error, which the user information has under
  /// ``AVCaptureSessionErrorKey``: the camera was removed or has failed, or a permission was revoked.
  public static let runtimeErrorNotification = Notification.Name("AVCaptureSessionRuntimeErrorNotification")
  /// The session has started.
  public static let didStartRunningNotification = Notification.Name(
    "AVCaptureSessionDidStartRunningNotification"
  )
  /// The session has stopped.
  public static let didStopRunningNotification = Notification.Name(
    "AVCaptureSessionDidStopRunningNotification"
  )
  /// The session was interrupted: it is no longer in the foreground, and is ending.
  public static let wasInterruptedNotification = Notification.Name(
    "AVCaptureSessionWasInterruptedNotification"
  )
  /// The interruption has ended. It is never posted here, because a session does not return to the foreground.
  public static let interruptionEndedNotification = Notification.Name(
    "AVCaptureSessionInterruptionEndedNotification"
  )
}

/// The key of the ``AVError`` in the user information of a run-time error.
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"
/// The key of the raw value of an interruption's reason in its user information.
public let AVCaptureSessionInterruptionReasonKey = "AVCaptureSessionInterruptionReasonKey"

extension AVCaptureDevice {
  /// A device was removed; the object is the device.
  public static let wasDisconnectedNotification = Notification.Name(
    "AVCaptureDeviceWasDisconnectedNotification"
  )
  /// A device was added. It is never posted here, because the devices of a session do not change otherwise.
  public static let wasConnectedNotification = Notification.Name("AVCaptureDeviceWasConnectedNotification")
}

extension Notification.Name {
  /// The older name of ``AVCaptureSession/runtimeErrorNotification``.
  public static let AVCaptureSessionRuntimeError = AVCaptureSession.runtimeErrorNotification
  /// The older name of ``AVCaptureSession/wasInterruptedNotification``.
  public static let AVCaptureSessionWasInterrupted = AVCaptureSession.wasInterruptedNotification
  /// The older name of ``AVCaptureSession/interruptionEndedNotification``.
  public static let AVCaptureSessionInterruptionEnded = AVCaptureSession.interruptionEndedNotification
}
