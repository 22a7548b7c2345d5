// SPDX-License-Identifier: Apache-2.0

/// The color of each pixel of an item.
struct PaintSource {
  private enum Source {
    case constant(Sample)
    case gradient([Sample], start: Vector, direction: Vector)
    case image(Bitmap, Transform, opacity: UInt8)
  }

  private let source: Source

  /// Creates the source of an item.
  init(_ item: DrawItem) {
    if case .image(let bitmap, let transform) = item.area, let inverse = transform.inverse {
      let size = Vector(Double(bitmap.width), Double(bitmap.height))
      let opacity = UInt8((item.opacity * 255).rounded())
      source = .image(bitmap, Transform.scale(size).after(inverse), opacity: opacity)
      return
    }
    switch item.paint {
    case .color(let color): source = .constant(Sample(color.components, opacity: item.opacity))
    case .linear(let gradient, let start, let end):
      let size = item.frame.high - item.frame.low
      let (first, last) = (item.frame.low + start * size, item.frame.low + end * size)
      let line = last - first
      let squared = (line * line).sum()
      let table = (0..<256).map { Sample(gradient.components(at: Double($0) / 255), opacity: item.opacity) }
      source = .gradient(table, start: first, direction: squared > 0 ? line / squared : .zero)
    }
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
      let position = ((first - start) * direction).sum()
      table.withUnsafeBufferPointer { table in
        band.setColors(columns) { table[Self.index(position + Double($0) * direction.x)] }
      }
    case .image(let bitmap, let transform, let opacity):
      let (start, step) = (transform.apply(first), transform.x)
      band.setColors(columns) { bitmap.color(at: start + step * Double($0), opacity) }
    }
  }

  /// Returns the index of the color at a position from 0 to 1 in the table of a gradient.
  private static func index(_ position: Double) -> Int { Int(min(max(position, 0), 1) * 255) }
}
