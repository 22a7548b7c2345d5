// SPDX-License-Identifier: Apache-2.0

/// An item with the parts that all bands of its area use.
@MainActor
struct PreparedItem {
  private let item: DrawItem
  private let area: PixelArea
  private let outline: Outline
  private let source: PaintSource

  /// Creates an item for drawing, or `nil` if no pixel of the item is in an area.
  init?(_ item: DrawItem, in changed: PixelArea, size: (width: Int, height: Int)) {
    area = item.pixels(within: size).intersection(changed)
    guard !area.isEmpty else { return nil }
    (self.item, outline, source) = (item, item.outline, PaintSource(item))
  }

  /// Draws the part of the item that is in the rows of a band.
  func draw(in band: PixelBand) {
    let area = PixelArea(columns: area.columns, rows: area.rows.clamped(to: band.rows))
    guard !area.isEmpty else { return }
    guard let first = item.clips.first else { return drawUnclipped(in: band, area) }
    var mask = CoverageMask(first, in: area)
    for clip in item.clips.dropFirst() { mask.clip(to: clip) }
    outline.rasterize(in: area) { row, columns, coverage in
      mask.write(row, columns, coverage, to: band.coverages)
      source.write(row, columns, to: band)
      band.blendRow(row, columns)
    }
  }

  private func drawUnclipped(in band: PixelBand, _ area: PixelArea) {
    outline.rasterize(in: area) { row, columns, coverage in
      if let color = source.color(ofRow: row) { return band.blend(color.covering(coverage), row, columns) }
      (band.coverages + columns.lowerBound).update(repeating: coverage, count: columns.count)
      source.write(row, columns, to: band)
      band.blendRow(row, columns)
    }
  }
}

extension DrawItem {
  /// The pixels that the item can change, in a picture of a size.
  func pixels(within size: (width: Int, height: Int)) -> PixelArea {
    bounds.map { PixelArea($0, within: size) } ?? .empty
  }

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
