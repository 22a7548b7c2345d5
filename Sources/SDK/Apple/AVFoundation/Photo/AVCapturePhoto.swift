// SPDX-License-Identifier: Apache-2.0

internal import CaptureImage
public import CoreMedia
public import Foundation

/// A photo. It may be used on any thread.
public final class AVCapturePhoto: Sendable {
  /// The settings of the photo.
  public let resolvedSettings: AVCaptureResolvedPhotoSettings
  /// The capture time, on the clock of the machine since its start.
  public let timestamp: CMTime
  /// The number of the photo in its request, 1.
  public let photoCount = 1
  /// Whether the photo has the raw data of a sensor, always `false`.
  public let isRawPhoto = false
  /// The pixels, if the settings have a pixel format, otherwise `nil`.
  public let pixelBuffer: CVPixelBuffer?
  private let file: Data?
  private let description: PhotoDescription

  /// Creates a photo from a copied frame; encodes its file, or converts its pixels.
  ///
  /// - Throws: ``AVError`` or `JPEGEncodingError` if the format is not supported.
  init(_ frame: CVPixelBuffer, _ request: PhotoRequest) throws {
    (resolvedSettings, timestamp, description) = (request.resolved, request.timestamp, request.description)
    guard let code = request.settings.pixelFormat else {
      guard request.settings.codec == .jpeg else { throw AVError(.encoderNotFound) }
      pixelBuffer = nil
      file = try frame.withFrame { Data(try JPEGEncoder().encode($0, describedBy: request.description)) }
      return
    }
    guard let format = CVPixelFormat(rawValue: code) else {
      throw AVError(.encoderNotFound, "the pixel format is not one of availablePhotoPixelFormatTypes")
    }
    (pixelBuffer, file) = (frame.converted(to: format), nil)
  }

  /// Creates a photo without a file and without pixels, for a request that has failed.
  init(withoutContent request: PhotoRequest) {
    (resolvedSettings, timestamp, description) = (request.resolved, request.timestamp, request.description)
    (pixelBuffer, file) = (nil, nil)
  }

  /// Returns the bytes of the JPEG file with Exif metadata, or `nil` if the settings have a pixel format.
  public func fileDataRepresentation() -> Data? { file }

  /// The metadata of the photo: `Orientation`, and in `{Exif}` the size and the capture time.
  public var metadata: [String: Any] {
    let size = resolvedSettings.photoDimensions
    var exif: [String: Any] = ["PixelXDimension": Int(size.width), "PixelYDimension": Int(size.height)]
    exif["DateTimeOriginal"] = description.exifDate
    return ["Orientation": description.orientation, "{Exif}": exif]
  }
}
