// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import LockedCameraCapture
public import QuartzCore

/// An image in memory; UIKit's name. It may be used on any thread.
///
/// The pixels are those of the file: a rotation that its metadata contain is not applied.
public final class UIImage: Sendable {
  package let pixels: ImagePixels
  /// The form of the image in which the module `SwiftUI` draws it.
  package let drawing = Attachment()
  /// The number of pixels per point.
  public let scale: CGFloat

  private init(_ pixels: ImagePixels, scale: CGFloat) { (self.pixels, self.scale) = (pixels, scale) }

  /// Creates an image from the bytes of a JPEG or PNG file, or returns `nil` if they are damaged or have another format.
  ///
  /// - Parameters:
  ///   - data: The bytes of the file, with at most 48 million pixels.
  ///   - scale: The number of pixels per point.
  public convenience init?(data: Data, scale: CGFloat) {
    guard let pixels = try? UIImage.decode([UInt8](data)) else { return nil }
    self.init(pixels, scale: scale)
  }

  /// Creates an image with one pixel per point from the bytes of a JPEG or PNG file, or returns `nil` if they are damaged or
  /// have another format.
  public convenience init?(data: Data) { self.init(data: data, scale: 1) }

  /// Creates an image with one pixel per point from an image of Core Graphics.
  public convenience init(cgImage: CGImage) { self.init(cgImage.pixels, scale: 1) }

  /// The image as a value of Core Graphics.
  public var cgImage: CGImage? { CGImage(pixels) }

  /// Creates an image from a JPEG or PNG file, or returns `nil` if the file cannot be read.
  public convenience init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    self.init(data: data)
  }

  /// The size in points.
  public var size: CGSize {
    CGSize(width: CGFloat(pixels.width) / scale, height: CGFloat(pixels.height) / scale)
  }

  /// Returns the bytes of a PNG file, or `nil` if libpng fails.
  public func pngData() -> Data? { (try? PNGPixels.encode(pixels)).map { Data($0) } }

  /// Encodes the image as a JPEG file, which has no opacity.
  ///
  /// - Parameter compressionQuality: The quality, from 0 for the smallest file to 1 for the best image.
  /// - Returns: The bytes of the file, or `nil` if libjpeg-turbo fails.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    let quality = Int((min(max(compressionQuality, 0), 1) * 99).rounded()) + 1
    return (try? JPEGPixels.encode(pixels, quality: quality)).map { Data($0) }
  }

  /// Returns the pixels of a JPEG or PNG file.
  ///
  /// - Throws: `ImagePixelsError` if the file is damaged, or has another format.
  package static func decode(_ file: [UInt8]) throws(ImagePixelsError) -> ImagePixels {
    file.starts(with: PNGPixels.signature) ? try PNGPixels.decode(file) : try JPEGPixels.decode(file)
  }
}

extension UIImage: Hashable {
  /// Returns whether both images are the same object.
  public static func == (first: UIImage, second: UIImage) -> Bool { first === second }

  /// Adds the identity of the object to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
