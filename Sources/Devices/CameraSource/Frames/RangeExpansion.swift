// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Expands limited-range pixels to full range in place, so that all frames of a ring have the same range.
enum RangeExpansion {
  /// The full-range value of each luma value: 16 to 235 becomes 0 to 255.
  private static let luma = table(low: 16, span: 219, middle: 0)
  /// The full-range value of each chroma value: 16 to 240 is stretched around 128.
  private static let chroma = table(low: 128, span: 224, middle: 128)

  /// Returns the new value of each of the 256 old values, rounded to the nearest.
  private static func table(low: Int, span: Int, middle: Int) -> [UInt8] {
    (0..<256).map { value in
      let scaled = (value - low) * 510
      let rounded = (scaled + (scaled < 0 ? -span : span)) / (2 * span)
      return UInt8(clamping: middle + rounded)
    }
  }

  /// Converts the planes of a slot.
  static func expand(_ slot: UnsafeMutableRawBufferPointer, layout: FrameRingGeometry) {
    for (index, plane) in layout.planes.enumerated() {
      (index == 0 ? luma : chroma).withUnsafeBufferPointer { table in
        for row in 0..<plane.rows {
          let start = plane.offset + row * plane.stride
          for offset in start..<(start + plane.rowBytes) { slot[offset] = table[Int(slot[offset])] }
        }
      }
    }
  }
}
