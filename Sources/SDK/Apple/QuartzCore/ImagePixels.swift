// SPDX-License-Identifier: Apache-2.0

/// The pixels of an image, row by row.
package struct ImagePixels: Sendable, Hashable {
  /// The largest number of pixels of a decoded image: that of a camera with 48 megapixels.
  package static let maximumCount = 48_000_000

  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// The components red, green, blue and opacity of each pixel, not premultiplied.
  package let components: [UInt8]

  /// Creates an image from the components red, green, blue and opacity of `width` times `height` pixels.
  package init(width: Int, height: Int, components: [UInt8]) {
    precondition(components.count == 4 * width * height, "an image needs four components per pixel")
    (self.width, self.height, self.components) = (width, height, components)
  }
}
