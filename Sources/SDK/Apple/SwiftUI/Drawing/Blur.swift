// SPDX-License-Identifier: Apache-2.0

extension CoverageMask {
  /// Rasterizes an outline in an area, whose edges are blurred over a distance in pixels to each side.
  init(_ outline: Outline, in area: PixelArea, blurredBy distance: Int) {
    self.init(outline, in: area.expanded(by: distance))
    blur(distance)
  }

  /// Replaces each value by a weighted mean of the values within a distance in pixels; values outside of the area count as 0.
  ///
  /// Two means over half the distance approximate the bell curve of a soft shadow.
  private mutating func blur(_ distance: Int) {
    let (width, height) = (area.columns.count, area.rows.count)
    var line = [UInt8](repeating: 0, count: max(width, height))
    withValues { values in
      for _ in 0..<2 {
        for row in 0..<height { Self.blur(values + row * width, width, 1, distance / 2, &line) }
        for column in 0..<width { Self.blur(values + column, height, width, distance / 2, &line) }
      }
    }
  }

  /// Replaces each of `count` values at equal distances by the mean of the values around it.
  private static func blur(
    _ values: UnsafeMutablePointer<UInt8>,
    _ count: Int,
    _ stride: Int,
    _ reach: Int,
    _ line: inout [UInt8]
  ) {
    var sum = 0
    for index in 0..<count {
      line[index] = values[index * stride]
      if index < reach { sum += Int(line[index]) }
    }
    for index in 0..<count {
      if index + reach < count { sum += Int(line[index + reach]) }
      if index > reach { sum -= Int(line[index - reach - 1]) }
      values[index * stride] = UInt8(sum / (2 * reach + 1))
    }
  }
}
