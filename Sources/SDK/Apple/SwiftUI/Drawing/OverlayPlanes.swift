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

    /// Calls `body` with the samples and their opacities.
    mutating func withSamples(
      _ body: (UnsafeMutableBufferPointer<UInt8>, UnsafeMutableBufferPointer<UInt8>) -> Void
    ) {
      values.withUnsafeMutableBufferPointer { values in
        opacities.withUnsafeMutableBufferPointer { body(values, $0) }
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
    pixels.withUnsafeBufferPointer { pixels in
      convertLuma(pixels, area)
      let rows = area.rows.lowerBound / 2..<(area.rows.upperBound + 1) / 2
      let columns = area.columns.lowerBound / 2..<(area.columns.upperBound + 1) / 2
      convertChroma(pixels, columns, rows)
    }
  }

  private mutating func convertLuma(_ pixels: UnsafeBufferPointer<SIMD4<UInt8>>, _ area: PixelArea) {
    let width = width
    luma.withSamples { values, opacities in
      for row in area.rows {
        for index in row * width + area.columns.lowerBound..<row * width + area.columns.upperBound {
          let pixel = SIMD4<Int32>(truncatingIfNeeded: pixels[index])
          let value = UInt8(truncatingIfNeeded: ((pixel &* Self.lumaWeights).wrappedSum() &+ 32768) &>> 16)
          opacities[index] = pixels[index].w
          values[index] = min(value, opacities[index])
        }
      }
    }
    for row in area.rows { luma.updateSpan(row) }
  }

  /// Converts the mean of four pixels for each sample.
  private mutating func convertChroma(
    _ pixels: UnsafeBufferPointer<SIMD4<UInt8>>,
    _ columns: Range<Int>,
    _ rows: Range<Int>
  ) {
    let (width, height, chromaWidth) = (width, height, blue.width)
    blue.withSamples { blues, opacities in
      red.withSamples { reds, redOpacities in
        for row in rows {
          let (upper, lower) = (2 * row * width, min(2 * row + 1, height - 1) * width)
          for column in columns {
            let (left, right) = (2 * column, min(2 * column + 1, width - 1))
            var sum = SIMD4<Int32>(truncatingIfNeeded: pixels[upper + left])
            sum &+= SIMD4<Int32>(truncatingIfNeeded: pixels[upper + right])
            sum &+= SIMD4<Int32>(truncatingIfNeeded: pixels[lower + left])
            sum &+= SIMD4<Int32>(truncatingIfNeeded: pixels[lower + right])
            let index = row * chromaWidth + column
            let opacity = UInt8(truncatingIfNeeded: (sum.w &+ 2) / 4)
            (opacities[index], redOpacities[index]) = (opacity, opacity)
            blues[index] = min(Self.chroma(sum, Self.blueWeights), opacity)
            reds[index] = min(Self.chroma(sum, Self.redWeights), opacity)
          }
        }
      }
    }
    for row in rows {
      blue.updateSpan(row)
      red.updateSpan(row)
    }
  }

  /// The weights of JFIF in units of 1/65536: of the luma, and of the chroma with its offset of 128 times the opacity.
  private static let lumaWeights = SIMD4<Int32>(19595, 38470, 7471, 0)
  private static let blueWeights = SIMD4<Int32>(-11058, -21710, 32768, 32896)
  private static let redWeights = SIMD4<Int32>(32768, -27440, -5328, 32896)

  /// Returns the chroma of the mean of four pixels, from their sum.
  private static func chroma(_ sum: SIMD4<Int32>, _ weights: SIMD4<Int32>) -> UInt8 {
    UInt8(min(max(((sum &* weights).wrappedSum() &+ 131_072) &>> 18, 0), 255))
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
    let start = row * plane.width + span.lowerBound
    plane.values.withUnsafeBufferPointer { values in
      plane.opacities.withUnsafeBufferPointer { opacities in
        guard let values = values.baseAddress, let opacities = opacities.baseAddress else { return }
        blend(values + start, opacities + start, span.count, target + span.lowerBound)
      }
    }
  }

  /// Blends samples over others. The loop is simple enough that the compiler vectorizes it.
  private static func blend(
    _ values: UnsafePointer<UInt8>,
    _ opacities: UnsafePointer<UInt8>,
    _ count: Int,
    _ target: UnsafeMutablePointer<UInt8>
  ) {
    for index in 0..<count {
      // Divides by 255 with rounding. A value is at most its opacity, so that the sum is at most 255.
      let product = UInt16(target[index]) &* UInt16(255 &- opacities[index]) &+ 128
      target[index] = values[index] &+ UInt8(truncatingIfNeeded: (product &+ product &>> 8) &>> 8)
    }
  }
}
