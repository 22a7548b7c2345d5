// SPDX-License-Identifier: Apache-2.0

/// An item with the parts that all bands of its area use.
@MainActor
struct PreparedItem {
  private let item: DrawItem
  private let area: PixelArea
  private let outline: Outline
  private let source: PaintSource
  /// The coverage of a blurred item, or `nil` for sharp edges.
  private let blurred: CoverageMask?

  /// Creates an item for drawing, or `nil` if no pixel of the item is in an area.
  init?(_ item: DrawItem, in changed: PixelArea, size: (width: Int, height: Int)) {
    area = item.pixels(within: size).intersection(changed)
    guard !area.isEmpty else { return nil }
    (self.item, outline, source) = (item, item.outline, PaintSource(item))
    blurred = item.blur > 0 ? CoverageMask(outline, in: area, blurredBy: item.blur) : nil
  }

  /// Draws the part of the item that is in the rows of a band.
  func draw(in band: PixelBand) {
    let area = PixelArea(columns: area.columns, rows: area.rows.clamped(to: band.rows))
    guard !area.isEmpty else { return }
    let masks = clips(in: area) + (blurred.map { [$0] } ?? [])
    // Each row of a blurred item is one run.
    guard blurred == nil else {
      for row in area.rows { draw(row, area.columns, 255, masks, in: band) }
      return
    }
    outline.rasterize(in: area) { draw($0, $1, $2, masks, in: band) }
  }

  /// Draws a run of pixels with one coverage, which masks reduce.
  private func draw(
    _ row: Int,
    _ columns: Range<Int>,
    _ coverage: UInt8,
    _ masks: [CoverageMask],
    in band: PixelBand
  ) {
    if masks.isEmpty, let color = source.color(ofRow: row) {
      return band.blend(color.covering(coverage), row, columns)
    }
    let coverage = coverage.multiplied(by: source.opacity)
    (band.coverages + columns.lowerBound).update(repeating: coverage, count: columns.count)
    for mask in masks { mask.reduce(band.coverages, row, columns) }
    source.write(row, columns, to: band)
    band.blendRow(row, columns)
  }

  /// Returns the masks of the clipping outlines.
  private func clips(in area: PixelArea) -> [CoverageMask] { item.clips.map { CoverageMask($0, in: area) } }
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
