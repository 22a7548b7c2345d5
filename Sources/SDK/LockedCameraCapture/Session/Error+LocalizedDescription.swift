// SPDX-License-Identifier: Apache-2.0

extension Error {
  /// What has gone wrong, as the error itself says it: for the errors of this library a sentence for people, the one of
  /// ``LockedCameraCaptureSession/ApplicationLaunchError/errorDescription`` where there is that.
  ///
  /// Apple's code reads it of every error; there it is Foundation's, of which this library uses only a part that lacks
  /// it. In a file that imports all of Foundation, Foundation's own is meant, which takes the sentence only from errors
  /// that conform to its `LocalizedError`.
  @_disfavoredOverload
  public var localizedDescription: String { "\(self)" }
}
