// SPDX-License-Identifier: Apache-2.0

/// The color of each pixel of an item, with premultiplied components from 0 to 255.
struct PaintSource {
  private enum Source {
    case constant(SIMD4<UInt8>)
    case gradient([SIMD4<UInt8>], start: Vector, direction: Vector)
    case image(Bitmap, Transform, opacity: UInt32)
  }

  private let source: Source
  init(_ item: DrawItem) {
    let opacity = item.opacity
    if case .image(let bitmap, let transform) = item.area, let inverse = transform.inverse {
      let size = Vector(Double(bitmap.width), Double(bitmap.height))
      source = .image(
        bitmap,
        Transform.scale(size).after(inverse),
        opacity: UInt32((opacity * 255).rounded())
      )
      return
    }
    switch item.paint {
    case .cameraFrame: source = .constant(.zero)
    case .color(let color):
      source = .constant(Self.premultiplied(color.components, opacity))
    case .linear(let gradient, let start, let end):
      let size = item.frame.high - item.frame.low
      let (first, last) = (item.frame.low + start * size, item.frame.low + end * size)
      let line = last - first
      let squared = (line * line).sum()
      let table = (0..<256).map { Self.premultiplied(gradient.components(at: Double($0) / 255), opacity) }
      source = .gradient(table, start: first, direction: squared > 0 ? line / squared : .zero)
    }
  }

  /// Returns the color at the center of a pixel.
  func color(_ column: Int, _ row: Int) -> SIMD4<UInt8> {
    switch source {
    case .constant(let color): return color
    case .gradient(let table, let start, let direction):
      let position = ((Vector(Double(column) + 0.5, Double(row) + 0.5) - start) * direction).sum()
      return table[Int(min(max(position, 0), 1) * 255)]
    case .image(let bitmap, let transform, let opacity):
      return bitmap.color(at: transform.apply(Vector(Double(column) + 0.5, Double(row) + 0.5)), opacity)
    }
  }

  /// Returns color components between 0 and 1 with an opacity, multiplied by their opacity.
  private static func premultiplied(_ components: SIMD4<Double>, _ opacity: Double) -> SIMD4<UInt8> {
    let color = SIMD4(components.x, components.y, components.z, 1) * (components.w * opacity * 255)
    return SIMD4<UInt8>(color.rounded(.toNearestOrAwayFromZero))
  }
}
