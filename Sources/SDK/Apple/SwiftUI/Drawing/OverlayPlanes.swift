// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// A picture in the color space of the viewfinder, with opacity, which is blended over frames.
struct OverlayPlanes {
  /// One plane: samples multiplied by their opacity, and the opacity of each sample.
  private struct Plane {
    let width: Int
    var values: [UInt8]
    var opacities: [UInt8]
    /// The columns of each row that are not transparent.
    var spans: [Range<Int>]

    init(_ width: Int, _ height: Int) {
      self.width = width
      values = []
      opacities = []
      spans = [Range<Int>](repeating: 0..<0, count: height)
    }

    /// Allocates the samples.
    mutating func allocate() {
      let count = width * spans.count
      if values.isEmpty {
        values = [UInt8](repeating: 0, count: count)
        opacities = [UInt8](repeating: 0, count: count)
      }
    }

    /// Finds the columns of a row that are not transparent.
    mutating func updateSpan(_ row: Int) {
      let samples = opacities[row * width..<(row + 1) * width]
      guard let first = samples.firstIndex(where: { $0 > 0 }), let last = samples.lastIndex(where: { $0 > 0 })
      else {
        return spans[row] = 0..<0
      }
      spans[row] = first - row * width..<last + 1 - row * width
    }
  }

  private let width: Int
  private let height: Int
  private var luma: Plane
  private var blue: Plane
  private var red: Plane

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    luma = Plane(width, height)
    blue = Plane((width + 1) / 2, (height + 1) / 2)
    red = blue
  }

  /// Converts an area of premultiplied pixels. The limits of the area are even, or the size of the picture.
  mutating func convert(_ pixels: [SIMD4<UInt8>], in area: PixelArea) {
    luma.allocate()
    blue.allocate()
    red.allocate()
    for row in area.rows {
      for column in area.columns {
        let pixel = pixels[row * width + column]
        luma.values[row * width + column] = UInt8((SIMD4<Float>(pixel) * Self.lumaWeights).sum().rounded())
        luma.opacities[row * width + column] = pixel.w
      }
      luma.updateSpan(row)
    }
    for row in area.rows.lowerBound / 2..<(area.rows.upperBound + 1) / 2 {
      for column in area.columns.lowerBound / 2..<(area.columns.upperBound + 1) / 2 {
        convertChroma(pixels, column, row)
      }
      blue.updateSpan(row)
      red.updateSpan(row)
    }
  }

  /// The weights of JFIF: of the luma, and of the chroma with its offset of 128 times the opacity.
  private static let lumaWeights = SIMD4<Float>(0.299, 0.587, 0.114, 0)
  private static let blueWeights = SIMD4<Float>(-0.168736, -0.331264, 0.5, 128.0 / 255)
  private static let redWeights = SIMD4<Float>(0.5, -0.418688, -0.081312, 128.0 / 255)

  /// Converts the mean of four pixels.
  private mutating func convertChroma(_ pixels: [SIMD4<UInt8>], _ column: Int, _ row: Int) {
    var sum = SIMD4<Float>.zero
    let (right, below) = (min(2 * column + 1, width - 1), min(2 * row + 1, height - 1))
    for y in [2 * row, below] { for x in [2 * column, right] { sum += SIMD4<Float>(pixels[y * width + x]) } }
    let (mean, index) = (sum / 4, row * blue.width + column)
    blue.values[index] = UInt8(min(max((mean * Self.blueWeights).sum(), 0), 255).rounded())
    red.values[index] = UInt8(min(max((mean * Self.redWeights).sum(), 0), 255).rounded())
    blue.opacities[index] = UInt8(mean.w.rounded())
    red.opacities[index] = blue.opacities[index]
  }

  /// Blends the picture over a frame; rows and columns without content cost nothing.
  func blend(over canvas: inout PreviewCanvas) {
    guard !luma.values.isEmpty else { return }
    for (plane, kind) in [(luma, CaptureFrame.Plane.luma), (blue, .blue), (red, .red)] {
      canvas.withPlane(kind) { samples, stride, rows in
        for row in 0..<min(rows, plane.spans.count) where !plane.spans[row].isEmpty {
          let span = plane.spans[row].clamped(to: 0..<min(stride, plane.width))
          Self.blend(plane, row, span, samples + row * stride)
        }
      }
    }
  }

  private static func blend(
    _ plane: Plane,
    _ row: Int,
    _ span: Range<Int>,
    _ target: UnsafeMutablePointer<UInt8>
  ) {
    plane.values.withUnsafeBufferPointer { values in
      plane.opacities.withUnsafeBufferPointer { opacities in
        guard let values = values.baseAddress, let opacities = opacities.baseAddress else { return }
        let start = row * plane.width
        for column in span {
          // Divides by 255 with rounding, without a division: the loop is vectorized.
          let product = UInt16(target[column]) &* UInt16(255 &- opacities[start + column]) &+ 128
          let rest = (product &+ product &>> 8) &>> 8
          target[column] = UInt8(truncatingIfNeeded: min(UInt16(values[start + column]) &+ rest, 255))
        }
      }
    }
  }
}
