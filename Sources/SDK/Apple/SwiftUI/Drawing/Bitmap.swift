// SPDX-License-Identifier: Apache-2.0

internal import UIKit

/// The pixels of an image file.
final class Bitmap: Sendable {
  /// The width in pixels.
  let width: Int
  /// The height in pixels.
  let height: Int
  /// The components red, green, blue and opacity of each pixel, not premultiplied.
  private let pixels: [UInt8]

  /// Creates a bitmap from the components red, green, blue and opacity of `width` times `height` pixels.
  init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == 4 * width * height, "a bitmap needs four components per pixel")
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// Creates a bitmap with the pixels of an image, without a copy.
  convenience init(_ image: ImagePixels) {
    self.init(width: image.width, height: image.height, pixels: image.components)
  }

  /// Returns the color of the pixel at a point, multiplied by its opacity and by `opacity` from 0 to 255.
  func color(at point: Vector, _ opacity: UInt32) -> SIMD4<UInt8> {
    let column = Int(min(max(point.x, 0), Double(width - 1)))
    let row = Int(min(max(point.y, 0), Double(height - 1)))
    let start = 4 * (row * width + column)
    let components = SIMD4(pixels[start], pixels[start + 1], pixels[start + 2], 255)
    let factor = UInt32(pixels[start + 3]) * opacity / 255
    return SIMD4<UInt8>(
      truncatingIfNeeded: (SIMD4<UInt32>(truncatingIfNeeded: components) &* factor &+ 127) / 255
    )
  }
}

extension Bitmap: Equatable {
  /// Returns whether both are the same object; files are read once.
  static func == (first: Bitmap, second: Bitmap) -> Bool { first === second }
}
