// SPDX-License-Identifier: Apache-2.0

/// The picture of the interface, with the size of the viewfinder.
///
/// Only areas whose items have changed are drawn again. The picture is kept as premultiplied RGBA, to draw items over each other,
/// and as premultiplied YCbCr with opacity, to blend rows over a frame without a conversion.
@MainActor
final class OverlayPicture {
  let width: Int
  let height: Int
  private var items: [DrawItem] = []
  /// The components red, green, blue and opacity of each pixel, premultiplied, from 0 to 255.
  private var pixels: [SIMD4<UInt8>] = []
  /// The converted picture.
  private(set) var planes: OverlayPlanes

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    planes = OverlayPlanes(width: width, height: height)
  }

  /// Draws the areas in which `items` differs from the current items.
  ///
  /// - Returns: The area that was drawn again, or `nil` if nothing has changed.
  @discardableResult
  func show(_ items: [DrawItem]) -> PixelArea? {
    guard items != self.items else { return nil }
    let changed = changedArea(items)
    self.items = items
    guard !changed.isEmpty else { return nil }
    draw(changed)
    return changed
  }

  /// Returns the area of all items before the common end of the lists and after their common start.
  private func changedArea(_ items: [DrawItem]) -> PixelArea {
    let start = zip(items, self.items).prefix { $0 == $1 }.count
    let rest = (items.dropFirst(start), self.items.dropFirst(start))
    let end = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.count
    var area = PixelArea(columns: 0..<0, rows: 0..<0)
    for item in rest.0.dropLast(end) { area = area.union(self.area(of: item)) }
    for item in rest.1.dropLast(end) { area = area.union(self.area(of: item)) }
    return area
  }

  private func area(of item: DrawItem) -> PixelArea {
    guard let bounds = item.bounds else { return PixelArea(columns: 0..<0, rows: 0..<0) }
    return PixelArea(bounds, within: (width, height))
  }

  private func draw(_ changed: PixelArea) {
    if pixels.isEmpty { pixels = [SIMD4<UInt8>](repeating: .zero, count: width * height) }
    for row in changed.rows {
      for column in changed.columns { pixels[row * width + column] = .zero }
    }
    for item in items {
      let area = area(of: item).intersection(changed)
      if !area.isEmpty { draw(item, in: area) }
    }
    planes.convert(pixels, in: changed)
  }

  private func draw(_ item: DrawItem, in area: PixelArea) {
    var mask = CoverageMask(item.outline, in: area)
    for clip in item.clips { mask.clip(to: clip) }
    let source = PaintSource(item)
    var index = 0
    for row in area.rows {
      for column in area.columns {
        let coverage = mask.values[index]
        index += 1
        if coverage == 0 { continue }
        let color = source.color(column, row) * (Float(coverage) / 255)
        let below = SIMD4<Float>(pixels[row * width + column])
        pixels[row * width + column] = SIMD4<UInt8>(color + below * (1 - color.w / 255) + 0.5)
      }
    }
  }
}

extension DrawItem {
  /// The outline of the area.
  @MainActor
  fileprivate var outline: Outline {
    switch area {
    case .outline(let outline): outline
    case .text(let line, let transform): line.outline.transformed(by: transform)
    case .image(_, let transform): Outline.unitSquare.transformed(by: transform)
    }
  }
}

extension Outline {
  /// The square between (0, 0) and (1, 1).
  static let unitSquare = Outline(
    points: [Vector(0, 0), Vector(1, 0), Vector(1, 1), Vector(0, 1)],
    kinds: [.on, .on, .on, .on],
    ends: [3]
  )
}
