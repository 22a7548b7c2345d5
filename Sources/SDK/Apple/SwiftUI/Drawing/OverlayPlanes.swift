// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// A picture in the color space of the viewfinder, with opacity, which is blended over frames.
struct OverlayPlanes {
  private let width: Int
  private let height: Int
  private var luma: OverlayPlane
  private var blue: OverlayPlane
  private var red: OverlayPlane

  /// Creates a transparent picture of a size in pixels.
  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    luma = OverlayPlane(width: width, height: height)
    blue = OverlayPlane(width: (width + 1) / 2, height: (height + 1) / 2)
    red = blue
  }

  /// Copies an area of a band. The limits of the area are even, or the size of the picture.
  mutating func take(_ area: PixelArea, of band: PixelBand) {
    let (first, count) = (area.columns.lowerBound, area.columns.count)
    luma.update(rows: area.rows) { row, values, opacities in
      (values + first).update(from: band.samples(0, row) + first, count: count)
      (opacities + first).update(from: band.samples(3, row) + first, count: count)
    }
    let rows = area.rows.lowerBound / 2..<(area.rows.upperBound + 1) / 2
    let columns = first / 2..<(area.columns.upperBound + 1) / 2
    let last = height - 1
    if area.columns.upperBound > width & ~1 { band.repeatColumn(width - 1) }
    blue.update(rows: rows) { row, values, opacities in
      Self.writeMeans(1, row, last, columns, of: band, to: values)
      Self.writeMeans(3, row, last, columns, of: band, to: opacities)
    }
    red.update(rows: rows) { row, values, opacities in
      Self.writeMeans(2, row, last, columns, of: band, to: values)
      Self.writeMeans(3, row, last, columns, of: band, to: opacities)
    }
  }

  /// Writes the mean of four pixels for each column of a row with half the resolution.
  private static func writeMeans(
    _ component: Int,
    _ row: Int,
    _ lastRow: Int,
    _ columns: Range<Int>,
    of band: PixelBand,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    let upper = band.samples(component, 2 * row)
    let lower = band.samples(component, min(2 * row + 1, lastRow))
    for column in columns {
      let sum =
        UInt16(upper[2 * column]) &+ UInt16(upper[2 * column + 1]) &+ UInt16(lower[2 * column])
        &+ UInt16(lower[2 * column + 1])
      target[column] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
    }
  }

  /// Blends the picture over a frame; rows and columns without content cost nothing.
  func blend(over canvas: inout PreviewCanvas) {
    guard !luma.values.isEmpty else { return }
    for (plane, kind) in [(luma, CaptureFrame.Plane.luma), (blue, .blue), (red, .red)] {
      canvas.withPlane(kind) { samples, stride, rows in
        for row in 0..<min(rows, plane.spans.count) {
          plane.blend(row, over: samples + row * stride, stride: stride)
        }
      }
    }
  }
}
