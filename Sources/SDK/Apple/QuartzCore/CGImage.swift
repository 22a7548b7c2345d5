// SPDX-License-Identifier: Apache-2.0

/// An image in memory with 8 bits of red, green, blue and opacity per pixel; Apple's type. It may be used on any thread.
public final class CGImage: Sendable {
  /// The pixels.
  package let pixels: ImagePixels

  /// Creates an image of pixels.
  package init(_ pixels: ImagePixels) { self.pixels = pixels }

  /// The width in pixels.
  public var width: Int { pixels.width }

  /// The height in pixels.
  public var height: Int { pixels.height }

  /// The number of bits of a component.
  public var bitsPerComponent: Int { 8 }

  /// The number of bits of a pixel.
  public var bitsPerPixel: Int { 4 * bitsPerComponent }
}
