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
    // Arrays in properties of objects would be checked at each access.
    let width = width
    pixels.withUnsafeMutableBufferPointer { pixels in
      for row in changed.rows {
        let start = row * width
        pixels[start + changed.columns.lowerBound..<start + changed.columns.upperBound].update(
          repeating: .zero
        )
      }
      for item in items {
        let area = area(of: item).intersection(changed)
        if !area.isEmpty { Self.draw(item, in: area, pixels, width) }
      }
    }
    planes.convert(pixels, in: changed)
  }

  private static func draw(
    _ item: DrawItem,
    in area: PixelArea,
    _ pixels: UnsafeMutableBufferPointer<SIMD4<UInt8>>,
    _ width: Int
  ) {
    var mask = CoverageMask(item.outline, in: area)
    for clip in item.clips { mask.clip(to: clip) }
    if item.paint == .cameraFrame { return clear(mask, item.opacity, pixels, width) }
    let source = PaintSource(item)
    mask.values.withUnsafeBufferPointer { coverages in
      var index = 0
      for row in area.rows {
        for column in area.columns {
          let coverage = coverages[index]
          index += 1
          if coverage == 0 { continue }
          let color = source.color(column, row)
          pixels[row * width + column].blend(color, UInt32(coverage))
        }
      }
    }
  }
}

extension OverlayPicture {
  /// Makes the pixels of an area transparent, as far as the area covers them.
  private static func clear(
    _ mask: CoverageMask,
    _ opacity: Double,
    _ pixels: UnsafeMutableBufferPointer<SIMD4<UInt8>>,
    _ width: Int
  ) {
    let opacity = UInt32((opacity * 255).rounded())
    var index = 0
    for row in mask.area.rows {
      for column in mask.area.columns {
        let remaining = 255 - UInt32(mask.values[index]) * opacity / 255
        index += 1
        let pixel = SIMD4<UInt32>(truncatingIfNeeded: pixels[row * width + column])
        pixels[row * width + column] = SIMD4<UInt8>(truncatingIfNeeded: (pixel &* remaining &+ 127) / 255)
      }
    }
  }
}

extension SIMD4<UInt8> {
  /// Draws a premultiplied color over this one, with a coverage from 0 to 255.
  @inline(__always)
  fileprivate mutating func blend(_ color: SIMD4<UInt8>, _ coverage: UInt32) {
    let covered = (SIMD4<UInt32>(truncatingIfNeeded: color) &* coverage &+ 127) / 255
    let below = SIMD4<UInt32>(truncatingIfNeeded: self) &* (255 &- covered.w) &+ 127
    self = SIMD4<UInt8>(truncatingIfNeeded: covered &+ below / 255)
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
