// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// How many frames a second a source has, as a fraction.
package struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  /// Frames per ``denominator`` seconds; at least 1.
  package let numerator: UInt32
  /// Seconds; at least 1.
  package let denominator: UInt32

  /// Thirty frames a second, what a source has that knows no rate of its own.
  package static let standard = FrameRate(unchecked: 30, 1)

  /// A rate that is known to be within the limits.
  private init(unchecked numerator: UInt32, _ denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// A rate from one frame an hour to a thousand a second; nil outside.
  package init?(_ numerator: Int, _ denominator: Int = 1) {
    guard let top = UInt32(exactly: numerator), let bottom = UInt32(exactly: denominator), top > 0,
      bottom > 0,
      numerator <= 1000 * denominator, denominator <= 3600 * numerator
    else { return nil }
    self.init(unchecked: top, bottom)
  }

  /// When a frame is due, in nanoseconds after frame 0: computed from its number, so that no error adds up.
  package func time(ofFrame index: UInt64) -> UInt64 {
    UInt64(UInt128(index) * UInt128(denominator) * 1_000_000_000 / UInt128(numerator))
  }

  /// `30` or `30000/1001`.
  package var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

/// Which numbers stand for black and white.
package enum ColorRange: String, Sendable {
  /// 0 to 255, as in JPEG files; what frames in a ring always have.
  case full
  /// 16 to 235 (chroma 16 to 240), as in most video.
  case limited
}

/// The size, rate and range of a source's frames; the pixels are always I420.
package struct FrameGeometry: Equatable, Sendable {
  /// Pixels in a row.
  package let width: Int
  /// Rows.
  package let height: Int
  /// How many frames a second there are.
  package let frameRate: FrameRate
  /// Which numbers stand for black and white.
  package let range: ColorRange

  /// Describes frames.
  package init(width: Int, height: Int, frameRate: FrameRate = .standard, range: ColorRange = .full) {
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.range = range
  }

  /// The layout of a ring for these frames; throws if they are too large for one.
  package func ringGeometry(
    slots: Int = FrameRingLayout.defaultSlots
  ) throws(FrameRingLayoutError) -> FrameRingGeometry {
    try FrameRingGeometry(
      width: width,
      height: height,
      frameRateNumerator: frameRate.numerator,
      frameRateDenominator: frameRate.denominator,
      slots: slots
    )
  }
}

extension FrameRingGeometry {
  /// From the first byte of the first plane to the last byte of the last.
  package var pixels: Range<Int> {
    let first = planes.first?.offset ?? 0
    return first..<max(first, planes.last?.end ?? first)
  }

  /// Whether rows and planes follow each other without gaps, as in every ring that is made here.
  package var isPacked: Bool {
    let rowsArePacked = planes.allSatisfy { $0.stride == $0.rowBytes }
    return rowsArePacked && zip(planes, planes.dropFirst()).allSatisfy { $0.end == $1.offset }
  }
}
