// SPDX-License-Identifier: Apache-2.0

/// The pixels of an image file.
final class Bitmap: Sendable {
  /// The width in pixels.
  let width: Int
  /// The height in pixels.
  let height: Int
  /// The colors of the pixels, row by row.
  let pixels: [Sample]

  /// Creates a bitmap from the components red, green, blue and opacity of `width` times `height` pixels, not premultiplied.
  init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == 4 * width * height, "a bitmap needs four components per pixel")
    (self.width, self.height) = (width, height)
    self.pixels = stride(from: 0, to: pixels.count, by: 4).map { start in
      let components = SIMD4(pixels[start], pixels[start + 1], pixels[start + 2], pixels[start + 3])
      return Sample(SIMD4<Double>(components) / 255, opacity: 1)
    }
  }
}

extension Bitmap: Equatable {
  /// Returns whether both are the same object; files are read once.
  static func == (first: Bitmap, second: Bitmap) -> Bool { first === second }
}
