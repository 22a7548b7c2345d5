// SPDX-License-Identifier: Apache-2.0

internal import CaptureImage
internal import CoreMedia

/// A request for a photo, from the call of the app to its last delegate method.
///
/// `@unchecked Sendable`, because Apple's delegates are not Sendable: the delegate is called on the main thread
/// only. The variables are set before another thread uses the request.
final class PhotoRequest: @unchecked Sendable {
  /// The settings of the app.
  let settings: AVCapturePhotoSettings
  /// The delegate, which is retained until its last method returns.
  let delegate: any AVCapturePhotoCaptureDelegate
  /// The settings that the output has selected.
  let resolved: AVCaptureResolvedPhotoSettings
  /// The description for the metadata of the file.
  private(set) var description: PhotoDescription
  /// The capture time.
  private(set) var timestamp = CMTime.invalid

  init(
    _ settings: AVCapturePhotoSettings,
    _ delegate: any AVCapturePhotoCaptureDelegate,
    _ resolved: AVCaptureResolvedPhotoSettings,
    _ description: PhotoDescription
  ) {
    (self.settings, self.delegate, self.resolved, self.description) = (
      settings, delegate, resolved, description
    )
  }

  /// Records the capture time, in nanoseconds of `CLOCK_MONOTONIC`.
  @MainActor
  func captured(at nanoseconds: UInt64) {
    timestamp = CMTime(value: Int64(clamping: nanoseconds), timescale: 1_000_000_000)
  }

  /// Records whether the flash is lit for the photo.
  @MainActor
  func setFlash(isLit: Bool) { description.isFlashFired = isLit }
}
