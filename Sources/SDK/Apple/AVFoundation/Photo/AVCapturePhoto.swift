// SPDX-License-Identifier: Apache-2.0

internal import CaptureImage
public import CoreMedia
public import Foundation
public import QuartzCore

/// A photo. It may be used on any thread.
public final class AVCapturePhoto: Sendable {
  /// The settings of the photo.
  public let resolvedSettings: AVCaptureResolvedPhotoSettings
  /// The capture time, on the clock of the machine since its start.
  public let timestamp: CMTime
  /// The number of the photo in its request, from 1.
  public let photoCount: Int
  /// Whether the photo has the samples of a sensor instead of a processed image.
  public let isRawPhoto: Bool
  /// The pixels or the samples of the sensor, if the settings have a pixel format for the photo, otherwise `nil`.
  public let pixelBuffer: CVPixelBuffer?
  /// The JPEG or DNG file, or `nil` if the settings have a pixel format for the processed photo.
  private let file: Data?
  /// The frame of the camera, or `nil` if the request has failed.
  private let frame: CVPixelBuffer?
  private let description: PhotoDescription

  /// Creates the photo with the samples of the sensor from a copied frame.
  ///
  /// - Throws: ``AVError`` if the frame does not have them in the format of the settings.
  init(rawSamplesOf frame: CVPixelBuffer, _ request: PhotoRequest) throws {
    (resolvedSettings, timestamp, description) = (request.resolved, request.timestamp, request.description)
    (photoCount, isRawPhoto, self.frame) = (1, true, nil)
    try request.settings.requireRawFileType()
    pixelBuffer = CVPixelFormat(rawValue: request.settings.rawPhotoPixelFormatType).flatMap(frame.converted)
    let encoded = frame.withFrame { DNGEncoder().encode($0, describedBy: request.description) } ?? nil
    guard pixelBuffer != nil, let encoded else { throw AVError.rawDataUnavailable }
    file = Data(encoded)
  }

  /// Creates the processed photo from a copied frame; encodes its file, or converts its pixels.
  ///
  /// - Throws: ``AVError`` or `JPEGEncodingError` if the format is not supported.
  init(_ frame: CVPixelBuffer, _ request: PhotoRequest) throws {
    (resolvedSettings, timestamp, description) = (request.resolved, request.timestamp, request.description)
    (photoCount, isRawPhoto) = (request.resolved.expectedPhotoCount, false)
    try request.settings.requireProcessedFormats()
    self.frame = frame
    guard let format = request.settings.pixelFormat.flatMap(CVPixelFormat.init(processed:)) else {
      pixelBuffer = nil
      file = try frame.withFrame { Data(try JPEGEncoder().encode($0, describedBy: request.description)) }
      return
    }
    (pixelBuffer, file) = (frame.converted(to: format), nil)
  }

  /// Creates a photo without a file and without pixels, for a request that has failed.
  init(withoutContent request: PhotoRequest) {
    (resolvedSettings, timestamp, description) = (request.resolved, request.timestamp, request.description)
    (pixelBuffer, file, frame, photoCount, isRawPhoto) = (nil, nil, nil, 1, false)
  }

  /// Returns the bytes of the file with Exif metadata, or `nil` if the request has failed.
  ///
  /// The file is a JPEG file; a DNG file if the photo has the samples of a sensor; or if the settings have a pixel format for
  /// the processed photo, an uncompressed TIFF file.
  public func fileDataRepresentation() -> Data? {
    if let file { return file }
    return image.map {
      Data(TIFFFile(description, width: $0.width, height: $0.height, colors: $0.components).bytes)
    }
  }

  /// Returns the pixels as an image, which can become a PNG file; `nil` if the request has failed, or if the photo has the
  /// samples of a sensor.
  ///
  /// The image has the orientation of the camera, which the metadata of the photo describe.
  public func cgImageRepresentation() -> CGImage? { image.map { CGImage($0) } }

  /// The pixels of the frame with colors instead of planes.
  private var image: ImagePixels? { frame?.converted(to: .bgra).map { ImagePixels($0) } }

  /// The metadata of the photo: `Orientation`, and in `{Exif}` the size, the capture time, and whether the flash was lit if
  /// it was requested.
  public var metadata: [String: Any] {
    let size = resolvedSettings.photoDimensions
    var exif: [String: Any] = ["PixelXDimension": Int(size.width), "PixelYDimension": Int(size.height)]
    exif["DateTimeOriginal"] = description.exifDate
    exif["Flash"] = description.isFlashFired.map { $0 ? 1 : 0 }
    return ["Orientation": description.orientation, "{Exif}": exif]
  }
}

extension AVCapturePhotoSettings {
  /// Throws an error unless the file with the samples of a sensor is a DNG file.
  fileprivate func requireRawFileType() throws(AVError) {
    guard [nil, .dng].contains(rawFileType) else {
      throw AVError(.encoderNotFound, "raw data requires a file of type \(AVFileType.dng.rawValue)")
    }
  }

  /// Throws an error unless the output can deliver a processed photo with these formats.
  fileprivate func requireProcessedFormats() throws(AVError) {
    guard rawPhotoPixelFormatType == 0 || format != nil else { throw .rawDataUnavailable }
    if let pixelFormat {
      guard CVPixelFormat(processed: pixelFormat) != nil else {
        throw AVError(.encoderNotFound, "the pixel format is not one of availablePhotoPixelFormatTypes")
      }
    } else if codec != .jpeg {
      throw AVError(.encoderNotFound)
    }
    let fileType: AVFileType = pixelFormat == nil ? .jpg : .tif
    guard [nil, fileType].contains(processedFileType) else {
      throw AVError(.encoderNotFound, "the format of the photo requires a file of type \(fileType.rawValue)")
    }
  }
}

extension AVError {
  /// The camera does not deliver the samples of its sensor in the requested format.
  fileprivate static var rawDataUnavailable: AVError {
    AVError(
      .encoderNotFound,
      "the camera has no raw data in this format; check availableRawPhotoPixelFormatTypes first"
    )
  }
}

extension ImagePixels {
  /// Creates an image from a buffer with colors.
  fileprivate init(_ buffer: CVPixelBuffer) {
    let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
    let (base, rowBytes) = (CVPixelBufferGetBaseAddress(buffer), CVPixelBufferGetBytesPerRow(buffer))
    let components = [UInt8](unsafeUninitializedCapacity: 4 * width * height) { components, count in
      for row in 0..<height {
        let pixels = UnsafeRawBufferPointer(start: base.map { $0 + row * rowBytes }, count: 4 * width)
        for start in stride(from: 0, to: 4 * width, by: 4) {
          // The buffer has the order blue, green, red.
          components[count] = pixels[start + 2]
          components[count + 1] = pixels[start + 1]
          components[count + 2] = pixels[start]
          components[count + 3] = pixels[start + 3]
          count += 4
        }
      }
    }
    self.init(width: width, height: height, components: components)
  }
}
