// SPDX-License-Identifier: Apache-2.0
// The functions and constants have the names of Apple's C interface.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

package import LockedCameraCapture

/// A four-character code, such as a pixel format.
public typealias OSType = UInt32

/// Planar 4:2:0 with full range, planes Y, U and V: the format of the camera's frames.
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = CVPixelFormat.planar420FullRange.rawValue
/// Biplanar 4:2:0 with full range, planes Y and interleaved UV.
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType =
  CVPixelFormat.biplanar420FullRange.rawValue
/// One plane with 4 bytes per pixel: blue, green, red, alpha.
public let kCVPixelFormatType_32BGRA: OSType = CVPixelFormat.bgra.rawValue
/// Samples of a sensor with 14 bits in two bytes, the lower one first: green and red, below them blue and green.
public let kCVPixelFormatType_14Bayer_GRBG: OSType = CVPixelFormat.bayerGRBG.rawValue
/// Samples of a sensor with 14 bits in two bytes, the lower one first: red and green, below them green and blue.
public let kCVPixelFormatType_14Bayer_RGGB: OSType = CVPixelFormat.bayerRGGB.rawValue
/// Samples of a sensor with 14 bits in two bytes, the lower one first: blue and green, below them green and red.
public let kCVPixelFormatType_14Bayer_BGGR: OSType = CVPixelFormat.bayerBGGR.rawValue
/// Samples of a sensor with 14 bits in two bytes, the lower one first: green and blue, below them red and green.
public let kCVPixelFormatType_14Bayer_GBRG: OSType = CVPixelFormat.bayerGBRG.rawValue

/// The key of the pixel format in settings for video data; its value is an `OSType`.
public let kCVPixelBufferPixelFormatTypeKey = "PixelFormatType"
/// The key of the width in attributes of a pixel buffer; its value is a number.
public let kCVPixelBufferWidthKey = "Width"
/// The key of the height in attributes of a pixel buffer; its value is a number.
public let kCVPixelBufferHeightKey = "Height"

/// A pixel format that this module supports.
package enum CVPixelFormat: UInt32, Sendable {
  /// The code of this format is `f420`.
  case planar420FullRange = 0x6634_3230
  /// The code of this format is `420f`.
  case biplanar420FullRange = 0x3432_3066
  /// The code of this format is `BGRA`.
  case bgra = 0x4247_5241
  /// The code of this format is `grb4`.
  case bayerGRBG = 0x6772_6234
  /// The code of this format is `rgg4`.
  case bayerRGGB = 0x7267_6734
  /// The code of this format is `bgg4`.
  case bayerBGGR = 0x6267_6734
  /// The code of this format is `gbr4`.
  case bayerGBRG = 0x6762_7234

  /// The formats to which frames can be converted.
  package static let processed: [CVPixelFormat] = [.planar420FullRange, .biplanar420FullRange, .bgra]

  /// Creates the format with a code if frames can be converted to it, otherwise returns `nil`.
  package init?(processed code: OSType) {
    guard let format = Self.processed.first(where: { $0.rawValue == code }) else { return nil }
    self = format
  }

  /// Creates the format of a sensor's samples.
  package init(_ pattern: RawFormat.Pattern) {
    switch pattern {
    case .bggr: self = .bayerBGGR
    case .gbrg: self = .bayerGBRG
    case .grbg: self = .bayerGRBG
    case .rggb: self = .bayerRGGB
    }
  }

  /// The size of a plane.
  struct PlaneSize {
    /// The width in samples.
    let width: Int
    /// The number of rows.
    let height: Int
    /// The number of bytes per row, a multiple of 64.
    let rowBytes: Int

    init(width: Int, height: Int, bytesPerSample: Int = 1) {
      (self.width, self.height) = (width, height)
      rowBytes = (width * bytesPerSample + 63) / 64 * 64
    }
  }

  /// Returns the planes of an image with this size in pixels.
  func planeSizes(width: Int, height: Int) -> [PlaneSize] {
    let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
    let luma = PlaneSize(width: width, height: height)
    return switch self {
    case .planar420FullRange:
      [luma, PlaneSize(width: columns, height: rows), PlaneSize(width: columns, height: rows)]
    case .biplanar420FullRange: [luma, PlaneSize(width: columns, height: rows, bytesPerSample: 2)]
    case .bgra: [PlaneSize(width: width, height: height, bytesPerSample: 4)]
    case .bayerGRBG, .bayerRGGB, .bayerBGGR, .bayerGBRG:
      [PlaneSize(width: width, height: height, bytesPerSample: 2)]
    }
  }

  /// Whether the format has planes.
  var isPlanar: Bool { self == .planar420FullRange || self == .biplanar420FullRange }

  /// Whether the format has the samples of a sensor.
  package var isRaw: Bool { !Self.processed.contains(self) }
}
