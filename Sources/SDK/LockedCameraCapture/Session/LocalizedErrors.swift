// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

// Foundation reads the text of an error only from this protocol.

extension LockedCameraCaptureError: LocalizedError {
  /// The error message, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension AppContextTooLarge: LocalizedError {
  /// The error message, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension LockedCameraCaptureSession.ApplicationLaunchError: LocalizedError {
  /// The failure and its reason, as one text, for `localizedDescription`.
  public var errorDescription: String? { description }

  /// The reason, as text that can be shown to the user.
  public var failureReason: String? { reason }
}

extension ApplicationLaunchFailure: LocalizedError {
  /// The error message, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension PHPhotosError: LocalizedError {
  /// The error message, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension UserActivityError: LocalizedError {
  /// The error message, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension ExtensionFailure: LocalizedError {
  /// The error message, for `localizedDescription`.
  package var errorDescription: String? { description }
}
