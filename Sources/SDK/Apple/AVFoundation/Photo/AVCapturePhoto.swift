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
  /// The number of the photo in its request, 1.
  public let photoCount = 1
  /// Whether the photo has the raw data of a sensor, always `false`.
  public let isRawPhoto = false
  /// The pixels, if the settings have a pixel format, otherwise `nil`.
  public let pixelBuffer: CVPixelBuffer?
  /// The JPEG file, or `nil` if the settings have a pixel format.
  private let file: Data?
  /// The frame of the camera, or `nil` if the request has failed.
  private let frame: CVPixelBuffer?
  private let description: PhotoDescription

  /// Creates a photo from a copied frame; encodes its file, or converts its pixels.
  ///
  /// - Throws: ``AVError`` or `JPEGEncodingError` if the format is not supported.
  init(_ frame: CVPixelBuffer, _ request: PhotoRequest) throws {
    (resolvedSettings, timestamp, description) = (request.resolved, request.timestamp, request.description)
    try request.settings.requireSupportedFormats()
    self.frame = frame
    guard let format = request.settings.pixelFormat.flatMap(CVPixelFormat.init) else {
      pixelBuffer = nil
      file = try frame.withFrame { Data(try JPEGEncoder().encode($0, describedBy: request.description)) }
      return
    }
    (pixelBuffer, file) = (frame.converted(to: format), nil)
  }

  /// Creates a photo without a file and without pixels, for a request that has failed.
  init(withoutContent request: PhotoRequest) {
    (resolvedSettings, timestamp, description) = (request.resolved, request.timestamp, request.description)
    (pixelBuffer, file, frame) = (nil, nil, nil)
  }

  /// Returns the bytes of the file with Exif metadata, or `nil` if the request has failed.
  ///
  /// The file is a JPEG file, or if the settings have a pixel format, an uncompressed TIFF file.
  public func fileDataRepresentation() -> Data? {
    if let file { return file }
    return image.map {
      Data(TIFFFile(description, width: $0.width, height: $0.height, colors: $0.components).bytes)
    }
  }

  /// Returns the pixels as an image, which can become a PNG file, or `nil` if the request has failed.
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
  /// Throws an error unless the output can deliver a photo with these formats.
  fileprivate func requireSupportedFormats() throws(AVError) {
    guard rawPhotoPixelFormatType == 0 || format != nil else {
      throw AVError(
        .encoderNotFound,
        "the camera has no raw data; check availableRawPhotoPixelFormatTypes first"
      )
    }
    if let pixelFormat {
      guard CVPixelFormat(rawValue: pixelFormat) != nil else {
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
