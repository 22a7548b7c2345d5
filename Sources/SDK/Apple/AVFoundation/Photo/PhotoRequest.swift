// SPDX-License-Identifier: Apache-2.0

internal import CaptureImage
internal import CoreMedia

/// A request for a photo, from the call of the app to its last delegate method.
///
/// `@unchecked Sendable`, because Apple's delegates are not Sendable: the delegate is called on the main thread
/// only.
final class PhotoRequest: @unchecked Sendable {
  /// The settings of the app.
  let settings: AVCapturePhotoSettings
  /// The delegate, which is retained until its last method returns.
  let delegate: any AVCapturePhotoCaptureDelegate
  /// The settings that the output has selected.
  let resolved: AVCaptureResolvedPhotoSettings
  /// The description for the metadata of the file.
  let description: PhotoDescription
  /// The capture time; set with the frame, before another thread uses the request.
  private(set) var timestamp = CMTime.invalid

  init(
    _ settings: AVCapturePhotoSettings,
    _ delegate: any AVCapturePhotoCaptureDelegate,
    _ dimensions: CMVideoDimensions,
    _ description: PhotoDescription
  ) {
    (self.settings, self.delegate, self.description) = (settings, delegate, description)
    resolved = AVCaptureResolvedPhotoSettings(uniqueID: settings.uniqueID, dimensions)
  }

  /// Records the capture time, in nanoseconds of `CLOCK_MONOTONIC`.
  @MainActor
  func captured(at nanoseconds: UInt64) {
    timestamp = CMTime(value: Int64(clamping: nanoseconds), timescale: 1_000_000_000)
  }
}
