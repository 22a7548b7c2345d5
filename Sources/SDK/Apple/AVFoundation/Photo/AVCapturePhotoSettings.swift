// SPDX-License-Identifier: Apache-2.0
// The constants have the names of Apple's C interface.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CoreMedia
public import LockedCameraCapture

/// A codec.
public struct AVVideoCodecType: RawRepresentable, Hashable, Sendable {
  /// Apple's code of the codec.
  public let rawValue: String

  /// Creates a codec from its code.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// JPEG, for photos and for each frame of a movie.
  public static let jpeg = AVVideoCodecType(rawValue: "jpeg")
  /// H.264, for movies.
  public static let h264 = AVVideoCodecType(rawValue: "avc1")
  /// HEVC; there is no encoder here.
  public static let hevc = AVVideoCodecType(rawValue: "hvc1")
}

/// A format of a file.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  /// The uniform type identifier of the format.
  public let rawValue: String

  /// Creates a format from its uniform type identifier.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// JPEG, the format of photos.
  public static let jpg = AVFileType(rawValue: "public.jpeg")
  /// QuickTime movie, the format of movies.
  public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
  /// MPEG-4; there is no writer here.
  public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
  /// HEIC; there is no writer here.
  public static let heic = AVFileType(rawValue: "public.heic")
  /// DNG; there is no writer here.
  public static let dng = AVFileType(rawValue: "com.adobe.raw-image")
}

/// The key of a codec in settings; its value is an ``AVVideoCodecType``.
public let AVVideoCodecKey = "AVVideoCodecKey"

/// The settings of one photo.
///
/// `@unchecked Sendable`, as Apple's class is not Sendable but is passed between queues: the output reads the
/// settings when the photo is requested; do not change them afterwards.
public final class AVCapturePhotoSettings: @unchecked Sendable {
  /// The number of the settings, unique in the process.
  public let uniqueID: Int64
  /// The format of the photo, or `nil` for JPEG.
  public let format: [String: Any]?
  /// The mode of the flash. No camera has a flash here, so it has no effect.
  public var flashMode = AVCaptureDevice.FlashMode.off
  /// The priority of quality over speed; it has no effect, because each photo is one frame.
  public var photoQualityPrioritization = AVCapturePhotoOutput.QualityPrioritization.balanced
  /// The maximum size of the photo; it has no effect, because a photo has the size of the camera's frames.
  public var maxPhotoDimensions = CMVideoDimensions()

  /// Creates settings for a JPEG file.
  public convenience init() { self.init(format: nil) }

  /// Creates settings with a format.
  ///
  /// - Parameter format: A dictionary with ``AVVideoCodecKey``, for a file with
  ///   ``AVVideoCodecType/jpeg``, or with `kCVPixelBufferPixelFormatTypeKey`, for pixels without a file; `nil`
  ///   for a JPEG file.
  public init(format: [String: Any]?) {
    self.format = format
    uniqueID = Self.numbers.next()
  }

  /// Creates settings with a new number from others.
  public convenience init(from photoSettings: AVCapturePhotoSettings) {
    self.init(format: photoSettings.format)
    flashMode = photoSettings.flashMode
    photoQualityPrioritization = photoSettings.photoQualityPrioritization
    maxPhotoDimensions = photoSettings.maxPhotoDimensions
  }

  private static let numbers = SettingsNumbers()

  /// The pixel format for a photo without a file, or `nil` for a photo with a file.
  var pixelFormat: OSType? { format?[kCVPixelBufferPixelFormatTypeKey] as? OSType }

  /// The codec of the file.
  var codec: AVVideoCodecType { format?[AVVideoCodecKey] as? AVVideoCodecType ?? .jpeg }
}

/// The settings of a photo that the output has selected.
public final class AVCaptureResolvedPhotoSettings: Sendable {
  /// The number of the settings of the request.
  public let uniqueID: Int64
  /// The size of the photo in pixels.
  public let photoDimensions: CMVideoDimensions
  /// The number of photos that the delegate receives, 1.
  public let expectedPhotoCount = 1
  /// Whether the flash is used, always `false`.
  public let isFlashEnabled = false

  init(uniqueID: Int64, _ photoDimensions: CMVideoDimensions) {
    (self.uniqueID, self.photoDimensions) = (uniqueID, photoDimensions)
  }
}
