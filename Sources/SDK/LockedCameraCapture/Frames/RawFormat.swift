// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// The format of the samples of a sensor with a Bayer filter: each pixel has one sample, of one color.
public struct RawFormat: Hashable, Sendable {
  /// The colors of four pixels: two of the first row, and below them two of the second row. The colors of all other pixels
  /// repeat them.
  public enum Pattern: Sendable, CaseIterable {
    /// Blue and green, below them green and red.
    case bggr
    /// Green and blue, below them red and green.
    case gbrg
    /// Green and red, below them blue and green.
    case grbg
    /// Red and green, below them green and blue.
    case rggb
  }

  /// The colors of the pixels.
  public let pattern: Pattern
  /// The number of bits of a sample: 8, 10, 12, 14 or 16.
  ///
  /// A sample of 8 bits has one byte. All others have two bytes, the lower one first, and are in their lowest bits.
  public let bitsPerSample: Int
  /// The number of samples in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The number of bytes between the starts of adjacent rows.
  public let stride: Int

  /// Creates the format of a frame with a size in pixels.
  package init(_ plane: RawPlane, width: Int, height: Int) {
    pattern = Pattern(plane.format.pattern)
    (bitsPerSample, stride) = (plane.format.bits, plane.stride)
    (self.width, self.height) = (width, height)
  }

  /// The number of bytes of a sample, 1 or 2.
  public var bytesPerSample: Int { bitsPerSample > 8 ? 2 : 1 }

  /// Returns a sample of the bytes of a frame.
  package func sample(row: Int, column: Int, in bytes: UnsafeRawBufferPointer) -> UInt16 {
    let offset = row * stride + column * bytesPerSample
    let high = bytesPerSample == 2 ? UInt16(bytes[offset + 1]) << 8 : 0
    return UInt16(bytes[offset]) | high
  }
}

extension RawFormat.Pattern {
  /// Creates the pattern of a message.
  init(_ pattern: BayerFormat.Pattern) {
    switch pattern {
    case .bggr: self = .bggr
    case .gbrg: self = .gbrg
    case .grbg: self = .grbg
    case .rggb: self = .rggb
    }
  }
}
