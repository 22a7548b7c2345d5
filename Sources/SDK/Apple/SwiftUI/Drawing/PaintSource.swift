// SPDX-License-Identifier: Apache-2.0

/// The color of each pixel of an item, with premultiplied components from 0 to 255.
struct PaintSource {
  private enum Source {
    case constant(SIMD4<Float>)
    case gradient([SIMD4<Float>], start: Vector, direction: Vector)
    case image(Bitmap, Transform)
  }

  private let source: Source
  private let opacity: Float

  init(_ item: DrawItem) {
    opacity = Float(item.opacity)
    if case .image(let bitmap, let transform) = item.area, let inverse = transform.inverse {
      let size = Vector(Double(bitmap.width), Double(bitmap.height))
      source = .image(bitmap, Transform.scale(size).after(inverse))
      return
    }
    switch item.paint {
    case .color(let color):
      source = .constant(Self.premultiplied(color.components) * opacity)
    case .linear(let gradient, let start, let end):
      let size = item.frame.high - item.frame.low
      let (first, last) = (item.frame.low + start * size, item.frame.low + end * size)
      let line = last - first
      let squared = (line * line).sum()
      let table = (0..<256).map { Self.premultiplied(gradient.components(at: Double($0) / 255)) }
      source = .gradient(table, start: first, direction: squared > 0 ? line / squared : .zero)
    }
  }

  /// Returns the color at the center of a pixel.
  func color(_ column: Int, _ row: Int) -> SIMD4<Float> {
    switch source {
    case .constant(let color): return color
    case .gradient(let table, let start, let direction):
      let position = ((Vector(Double(column) + 0.5, Double(row) + 0.5) - start) * direction).sum()
      return table[Int(min(max(position, 0), 1) * 255)] * opacity
    case .image(let bitmap, let transform):
      return bitmap.color(at: transform.apply(Vector(Double(column) + 0.5, Double(row) + 0.5))) * opacity
    }
  }

  private static func premultiplied(_ components: SIMD4<Double>) -> SIMD4<Float> {
    let scaled = SIMD4<Float>(components) * 255
    return SIMD4(scaled.x, scaled.y, scaled.z, 255) * Float(components.w)
  }
}
