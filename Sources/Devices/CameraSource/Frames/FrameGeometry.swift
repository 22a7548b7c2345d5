// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// The number of frames per second, as a fraction.
package struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  /// Frames in ``denominator`` seconds; at least 1.
  package let numerator: UInt32
  /// Seconds; at least 1.
  package let denominator: UInt32

  /// Thirty frames per second, the rate of a source without a rate of its own.
  package static let standard = FrameRate(unchecked: 30, 1)

  /// Creates a rate that is known to be within the limits.
  private init(unchecked numerator: UInt32, _ denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates a rate between one frame per hour and 1000 per second, or returns `nil` if it is outside these
  /// limits.
  package init?(_ numerator: Int, _ denominator: Int = 1) {
    guard let top = UInt32(exactly: numerator), let bottom = UInt32(exactly: denominator), top > 0,
      bottom > 0,
      numerator <= 1000 * denominator, denominator <= 3600 * numerator
    else { return nil }
    self.init(unchecked: top, bottom)
  }

  /// Returns the due time of a frame, in nanoseconds after frame 0. The time is computed from the index, so
  /// that rounding errors do not accumulate.
  package func time(ofFrame index: UInt64) -> UInt64 {
    UInt64(UInt128(index) * UInt128(denominator) * 1_000_000_000 / UInt128(numerator))
  }

  /// For example `30` or `30000/1001`.
  package var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

/// The range of sample values between black and white.
package enum ColorRange: String, Sendable {
  /// 0 to 255, as in JPEG files. Frames in a ring always have this range.
  case full
  /// 16 to 235 (chroma 16 to 240), as in most video.
  case limited
}

/// The size, rate and color range of the frames of a source. The pixel format is always I420; the frames of a sensor
/// with a Bayer filter can have its samples, too.
package struct FrameGeometry: Equatable, Sendable {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  package let frameRate: FrameRate
  package let range: ColorRange
  /// The format of the sensor's samples that each frame has as well, or `nil` if it has none.
  package let raw: BayerFormat?

  /// Creates a geometry from its parts.
  package init(
    width: Int,
    height: Int,
    frameRate: FrameRate = .standard,
    range: ColorRange = .full,
    raw: BayerFormat? = nil
  ) {
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.range = range
    self.raw = raw
  }

  /// Returns the layout of a ring for these frames, or throws if they are too large for a ring.
  package func ringGeometry(
    slots: Int = FrameRingLayout.defaultSlots
  ) throws(FrameRingLayoutError) -> FrameRingGeometry {
    try FrameRingGeometry(
      width: width,
      height: height,
      frameRateNumerator: frameRate.numerator,
      frameRateDenominator: frameRate.denominator,
      raw: raw,
      slots: slots
    )
  }
}

extension FrameRingGeometry {
  /// The byte range from the start of the first plane to the end of the last one.
  package var pixels: Range<Int> {
    let first = planes.first?.offset ?? 0
    return first..<max(first, planes.last?.end ?? first)
  }

  /// Whether rows and planes follow each other without gaps, as in every ring that this package creates.
  package var isPacked: Bool {
    let rowsArePacked = planes.allSatisfy { $0.stride == $0.rowBytes }
    return rowsArePacked && zip(planes, planes.dropFirst()).allSatisfy { $0.end == $1.offset }
  }
}
