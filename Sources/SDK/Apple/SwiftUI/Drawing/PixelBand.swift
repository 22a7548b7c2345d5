// SPDX-License-Identifier: Apache-2.0

/// A color of the viewfinder, multiplied by its opacity: luma, blue difference, red difference and opacity, from 0 to 255.
typealias Sample = SIMD4<UInt8>

/// A few rows of pixels, which are drawn while they are in the cache of the processor.
///
/// The four components of a ``Sample`` are in separate planes, so that the compiler vectorizes the loops over them.
final class PixelBand {
  /// The largest number of rows; an even number, because two rows share samples of chroma.
  static let height = 32
  private static let planes = 4

  private let width: Int
  /// The planes, then the colors and the coverages of one row that is being drawn.
  private let storage: UnsafeMutablePointer<UInt8>
  private(set) var rows = 0..<0

  /// Creates a band for pictures of a width in pixels.
  init(width: Int) {
    // Two columns share samples of chroma.
    self.width = (width + 1) & ~1
    let count = (Self.planes * Self.height + Self.planes + 1) * self.width
    storage = .allocate(capacity: count)
    storage.initialize(repeating: 0, count: count)
  }

  deinit { storage.deallocate() }

  /// Returns the samples of a component in a row.
  func samples(_ component: Int, _ row: Int) -> UnsafeMutablePointer<UInt8> {
    storage + (component * Self.height + row - rows.lowerBound) * width
  }

  /// The color of each column of the row that is being drawn.
  func color(_ component: Int) -> UnsafeMutablePointer<UInt8> {
    storage + (Self.planes * Self.height + component) * width
  }

  /// The coverage of each column of the row that is being drawn.
  var coverages: UnsafeMutablePointer<UInt8> { color(Self.planes) }

  /// Moves the band to rows, and makes some columns transparent.
  func start(_ area: PixelArea) {
    rows = area.rows
    for row in rows {
      for component in 0..<Self.planes {
        (samples(component, row) + area.columns.lowerBound).update(repeating: 0, count: area.columns.count)
      }
    }
  }

  /// Copies a column to the next one, for the chroma of the last column of an odd width.
  func repeatColumn(_ column: Int) {
    for row in rows {
      for component in 0..<Self.planes {
        samples(component, row)[column + 1] = samples(component, row)[column]
      }
    }
  }

  /// Draws a color over columns of a row.
  func blend(_ color: Sample, _ row: Int, _ columns: Range<Int>) {
    for component in 0..<Self.planes {
      let target = samples(component, row) + columns.lowerBound
      if color.w == 255 {
        target.update(repeating: color[component], count: columns.count)
      } else {
        Self.blend(color[component], 255 - color.w, over: target, columns.count)
      }
    }
  }

  /// Sets the color of columns of the row that is being drawn.
  func setColor(_ value: Sample, _ columns: Range<Int>) {
    for component in 0..<Self.planes {
      (color(component) + columns.lowerBound).update(repeating: value[component], count: columns.count)
    }
  }

  /// Sets the colors of columns of the row that is being drawn, from their indices among the columns.
  @inline(__always)
  func setColors(_ columns: Range<Int>, _ value: (Int) -> Sample) {
    let first = columns.lowerBound
    let (luma, blue, red, opacities) = (
      color(0) + first, color(1) + first, color(2) + first, color(3) + first
    )
    for index in 0..<columns.count {
      let sample = value(index)
      (luma[index], blue[index], red[index], opacities[index]) = (sample.x, sample.y, sample.z, sample.w)
    }
  }

  /// Draws ``color(_:)`` with ``coverages`` over columns of a row.
  func blendRow(_ row: Int, _ columns: Range<Int>) {
    let first = columns.lowerBound
    let (opacities, coverages) = (color(3) + first, coverages + first)
    for component in 0..<Self.planes {
      let (values, target) = (color(component) + first, samples(component, row) + first)
      for index in 0..<columns.count {
        let opacity = opacities[index].multiplied(by: coverages[index])
        let value = values[index].multiplied(by: coverages[index])
        target[index] = value &+ target[index].multiplied(by: 255 &- opacity)
      }
    }
  }

  private static func blend(
    _ value: UInt8,
    _ transparency: UInt8,
    over target: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    for index in 0..<count { target[index] = value &+ target[index].multiplied(by: transparency) }
  }
}

extension UInt8 {
  /// Returns the rounded product of two shares of 255.
  @inline(__always)
  func multiplied(by other: UInt8) -> UInt8 {
    let product = UInt16(self) &* UInt16(other) &+ 128
    return UInt8(truncatingIfNeeded: (product &+ product &>> 8) &>> 8)
  }
}

extension SIMD4<UInt8> {
  /// Returns the color with a coverage from 0 to 255.
  func covering(_ coverage: UInt8) -> Sample {
    Sample(
      x.multiplied(by: coverage),
      y.multiplied(by: coverage),
      z.multiplied(by: coverage),
      w.multiplied(by: coverage)
    )
  }

  /// Creates a color from red, green, blue and opacity, from 0 to 1, with another opacity as a factor.
  init(_ color: SIMD4<Double>, opacity: Double) {
    let (red, green, blue) = (color.x, color.y, color.z)
    // The weights of JFIF, in a form that keeps the exact value of a gray color.
    let luma = green + 0.299 * (red - green) + 0.114 * (blue - green)
    let value = SIMD4<Double>(luma, 0.5 + (blue - luma) / 1.772, 0.5 + (red - luma) / 1.402, 1)
    let limited = value.clamped(lowerBound: .zero, upperBound: .one)
    self.init((limited * (color.w * opacity * 255)).rounded(.toNearestOrAwayFromZero))
  }
}
