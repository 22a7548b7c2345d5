// SPDX-License-Identifier: Apache-2.0

extension Error {
  /// The text of the error, `"\(self)"`.
  ///
  /// Every error of this library has a readable description; ``LockedCameraCaptureSession/ApplicationLaunchError``
  /// returns its ``LockedCameraCaptureSession/ApplicationLaunchError/errorDescription``.
  ///
  /// Code for Apple's systems reads this property of every error. It is part of Foundation there; this
  /// library imports only FoundationEssentials, which lacks it. In a file that imports all of Foundation,
  /// Foundation's property takes precedence; that one has the text only of errors that conform to
  /// `LocalizedError`.
  @_disfavoredOverload
  public var localizedDescription: String { "\(self)" }
}
