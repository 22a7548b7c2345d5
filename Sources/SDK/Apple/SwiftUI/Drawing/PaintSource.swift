// SPDX-License-Identifier: Apache-2.0

/// The color of each pixel of an item.
struct PaintSource {
  private enum Source {
    case constant(Sample)
    case gradient([Sample], start: Vector, direction: Vector)
    /// A gradient around a center in pixels.
    case round([Sample], RoundGradient, center: Vector)
    case image(Bitmap, Transform)
  }

  private let source: Source
  /// The factor of the coverage, from 0 to 255: the opacity of an image or of frames. Other sources contain their opacity.
  let opacity: UInt8

  /// Creates the source of an item.
  init(_ item: DrawItem) {
    if case .image(let bitmap, let transform) = item.area, let inverse = transform.inverse {
      let size = Vector(Double(bitmap.width), Double(bitmap.height))
      opacity = UInt8((item.opacity * 255).rounded())
      source = .image(bitmap, Transform.scale(size).after(inverse))
      return
    }
    opacity = item.paint == .cameraFrame ? UInt8((item.opacity * 255).rounded()) : 255
    switch item.paint {
    case .cameraFrame: source = .constant(.zero)
    case .color(let color): source = .constant(Sample(color.components, opacity: item.opacity))
    case .linear(let gradient, let start, let end):
      let size = item.frame.high - item.frame.low
      let (first, last) = (item.frame.low + start * size, item.frame.low + end * size)
      let line = last - first
      let squared = (line * line).sum()
      let direction = squared > 0 ? line / squared : .zero
      source = .gradient(Self.table(gradient, item), start: first, direction: direction)
    case .round(let round):
      let center = item.frame.low + round.center * (item.frame.high - item.frame.low)
      source = .round(Self.table(round.gradient, item), round, center: center)
    }
  }

  /// Returns the colors of a gradient at 256 positions.
  private static func table(_ gradient: Gradient, _ item: DrawItem) -> [Sample] {
    (0..<256).map { Sample(gradient.components(at: Double($0) / 255), opacity: item.opacity) }
  }

  /// Returns the color of all pixels of a row, or `nil` if they have different colors.
  func color(ofRow row: Int) -> Sample? {
    switch source {
    case .constant(let color): return color
    case .gradient(let table, let start, let direction) where direction.x == 0:
      return table[Self.index((Double(row) + 0.5 - start.y) * direction.y)]
    default: return nil
    }
  }

  /// Writes the colors of columns of a row into the row of a band.
  func write(_ row: Int, _ columns: Range<Int>, to band: PixelBand) {
    if let color = color(ofRow: row) { return band.setColor(color, columns) }
    let first = Vector(Double(columns.lowerBound) + 0.5, Double(row) + 0.5)
    switch source {
    case .constant: break
    case .gradient(let table, let start, let direction):
      let positions = IntegerLine(from: ((first - start) * direction).sum() * 255, step: direction.x * 255)
      table.withUnsafeBufferPointer { table in
        band.setColors(columns) { table[positions.value($0, limit: 255)] }
      }
    case .round(let table, let gradient, let center):
      band.setColors(columns) { table[Self.index(gradient.position(first + Vector(Double($0), 0) - center))] }
    case .image(let bitmap, let transform):
      let (start, width, height) = (transform.apply(first), bitmap.width, bitmap.height)
      let across = IntegerLine(from: start.x, step: transform.x.x)
      let down = IntegerLine(from: start.y, step: transform.x.y)
      bitmap.pixels.withUnsafeBufferPointer { pixels in
        band.setColors(columns) {
          pixels[down.value($0, limit: height &- 1) &* width &+ across.value($0, limit: width &- 1)]
        }
      }
    }
  }

  /// Returns the index of the color at a position from 0 to 1 in the table of a gradient.
  private static func index(_ position: Double) -> Int { Int(min(1, max(0, position)) * 255) }
}

/// The integers below numbers at equal distances, in fixed point, because conversions of each number take longer.
private struct IntegerLine {
  private let start: Int
  private let step: Int

  init(from start: Double, step: Double) {
    func fixed(_ number: Double) -> Int { Int(min(1e9, max(-1e9, number)) * 65536) }
    (self.start, self.step) = (fixed(start), fixed(step))
  }

  /// Returns an integer from 0 to a limit.
  @inline(__always)
  func value(_ index: Int, limit: Int) -> Int { min(max((start &+ index &* step) &>> 16, 0), limit) }
}
