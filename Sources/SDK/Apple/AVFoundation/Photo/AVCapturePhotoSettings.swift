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
  /// DNG, the format of raw data.
  public static let dng = AVFileType(rawValue: "com.adobe.raw-image")
  /// TIFF, the lossless format of photos.
  public static let tif = AVFileType(rawValue: "public.tiff")
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
  /// The format of the file, or `nil` for JPEG, or for TIFF if ``format`` has a pixel format.
  public let processedFileType: AVFileType?
  /// The pixel format of the raw data, or 0 for none.
  public let rawPhotoPixelFormatType: OSType
  /// The format of the file with raw data, or `nil` for DNG.
  public let rawFileType: AVFileType?
  /// The mode of the flash; a mode that ``AVCapturePhotoOutput/supportedFlashModes`` lacks has no effect.
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
  ///   ``AVVideoCodecType/jpeg``, or with `kCVPixelBufferPixelFormatTypeKey`, for pixels, which can become a TIFF
  ///   file; `nil` for a JPEG file.
  public convenience init(format: [String: Any]?) {
    self.init(rawPixelFormatType: 0, rawFileType: nil, processedFormat: format, processedFileType: nil)
  }

  /// Creates settings with the formats of the files.
  ///
  /// A request for raw data with a processed format has two photos, the one with raw data first. If the camera has no raw data
  /// in this format, such a request has only the processed photo, and a request for raw data only ends with an error.
  ///
  /// - Parameters:
  ///   - rawPixelFormatType: One of ``AVCapturePhotoOutput/availableRawPhotoPixelFormatTypes``, or 0 for no raw data.
  ///   - rawFileType: The format of the file with raw data, or `nil` for DNG.
  ///   - processedFormat: The format of the processed photo, as in ``init(format:)``.
  ///   - processedFileType: The format of the processed file, or `nil` for the one that fits the format.
  public init(
    rawPixelFormatType: OSType,
    rawFileType: AVFileType?,
    processedFormat: [String: Any]?,
    processedFileType: AVFileType?
  ) {
    (format, self.processedFileType) = (processedFormat, processedFileType)
    (rawPhotoPixelFormatType, self.rawFileType) = (rawPixelFormatType, rawFileType)
    uniqueID = Self.numbers.next()
  }

  /// Creates settings with a new number from others.
  public convenience init(from photoSettings: AVCapturePhotoSettings) {
    self.init(
      rawPixelFormatType: photoSettings.rawPhotoPixelFormatType,
      rawFileType: photoSettings.rawFileType,
      processedFormat: photoSettings.format,
      processedFileType: photoSettings.processedFileType
    )
    flashMode = photoSettings.flashMode
    photoQualityPrioritization = photoSettings.photoQualityPrioritization
    maxPhotoDimensions = photoSettings.maxPhotoDimensions
  }

  private static let numbers = SettingsNumbers()

  /// The pixel format for a photo of pixels, or `nil` for a JPEG file.
  var pixelFormat: OSType? { format?[kCVPixelBufferPixelFormatTypeKey] as? OSType }

  /// The codec of the file.
  var codec: AVVideoCodecType { format?[AVVideoCodecKey] as? AVVideoCodecType ?? .jpeg }
}

/// The settings of a photo that the output has selected.
public final class AVCaptureResolvedPhotoSettings: Sendable {
  /// The number of the settings of the request.
  public let uniqueID: Int64
  /// The size of the processed photo in pixels; zero if there is none.
  public let photoDimensions: CMVideoDimensions
  /// The size of the photo with raw data in pixels; zero if there is none.
  public let rawPhotoDimensions: CMVideoDimensions
  /// Whether the flash is used.
  public let isFlashEnabled: Bool

  /// Selects the photos of a request.
  ///
  /// - Parameters:
  ///   - settings: The settings of the app.
  ///   - frameSize: The size of the camera's frames.
  ///   - rawPixelFormat: The format of the raw data that the camera delivers, or `nil` for none.
  ///   - isFlashEnabled: Whether the flash is used.
  init(
    _ settings: AVCapturePhotoSettings,
    frameSize: CMVideoDimensions,
    rawPixelFormat: OSType?,
    isFlashEnabled: Bool
  ) {
    (uniqueID, self.isFlashEnabled) = (settings.uniqueID, isFlashEnabled)
    hasRawPhoto = settings.rawPhotoPixelFormatType != 0 && settings.rawPhotoPixelFormatType == rawPixelFormat
    // A request that has neither ends with an error.
    hasProcessedPhoto = settings.format != nil || !hasRawPhoto
    photoDimensions = hasProcessedPhoto ? frameSize : CMVideoDimensions()
    rawPhotoDimensions = hasRawPhoto ? frameSize : CMVideoDimensions()
  }

  /// Whether the request has a photo with raw data.
  let hasRawPhoto: Bool
  /// Whether the request has a processed photo.
  let hasProcessedPhoto: Bool

  /// The number of photos that the delegate receives: 2 for raw data with a processed photo, otherwise 1.
  public var expectedPhotoCount: Int { hasRawPhoto && hasProcessedPhoto ? 2 : 1 }
}
