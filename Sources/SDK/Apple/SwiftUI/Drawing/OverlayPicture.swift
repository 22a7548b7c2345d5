// SPDX-License-Identifier: Apache-2.0

/// The picture of the interface, with the size of the viewfinder.
///
/// Only areas whose items have changed are drawn again, band by band. The picture is kept as premultiplied YCbCr with opacity, to
/// blend rows over a frame without a conversion.
@MainActor
final class OverlayPicture {
  let width: Int
  let height: Int
  private var items: [DrawItem] = []
  private lazy var band = PixelBand(width: width)
  /// The drawn picture.
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
    return (rest.0.dropLast(end) + rest.1.dropLast(end)).reduce(.empty) {
      $0.union($1.pixels(within: (width, height)))
    }
  }

  private func draw(_ changed: PixelArea) {
    let prepared = items.compactMap { PreparedItem($0, in: changed, size: (width, height)) }
    var start = changed.rows.lowerBound
    while start < changed.rows.upperBound {
      let end = min(start + PixelBand.height, changed.rows.upperBound)
      let area = PixelArea(columns: changed.columns, rows: start..<end)
      band.start(area)
      for item in prepared { item.draw(in: band) }
      planes.take(area, of: band)
      start = end
    }
  }
}
