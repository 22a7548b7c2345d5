// SPDX-License-Identifier: Apache-2.0

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

  /// Returns the premultiplied color of the pixel at a point.
  func color(at point: Vector) -> SIMD4<Float> {
    let column = Int(min(max(point.x, 0), Double(width - 1)))
    let row = Int(min(max(point.y, 0), Double(height - 1)))
    let start = 4 * (row * width + column)
    let opacity = Float(pixels[start + 3])
    return SIMD4(Float(pixels[start]), Float(pixels[start + 1]), Float(pixels[start + 2]), 255)
      * (opacity / 255)
  }
}

extension Bitmap: Equatable {
  /// Returns whether both are the same object; files are read once.
  static func == (first: Bitmap, second: Bitmap) -> Bool { first === second }
}
