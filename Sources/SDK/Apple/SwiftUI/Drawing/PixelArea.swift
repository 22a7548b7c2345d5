// SPDX-License-Identifier: Apache-2.0

/// A range of columns and rows of pixels.
struct PixelArea: Equatable {
  var columns: Range<Int>
  var rows: Range<Int>

  /// An area without pixels.
  static let empty = PixelArea(columns: 0..<0, rows: 0..<0)

  /// Whether the area has no pixels.
  var isEmpty: Bool { columns.isEmpty || rows.isEmpty }

  /// Creates an area from ranges.
  init(columns: Range<Int>, rows: Range<Int>) { (self.columns, self.rows) = (columns, rows) }

  /// Creates the smallest area with even limits that contains `bounds`, clipped to a size; two columns share a sample of chroma.
  init(_ bounds: Bounds, within size: (width: Int, height: Int)) {
    func range(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
      let first = Int(min(max(low.rounded(.down), 0), Double(limit))) & ~1
      let last = Int(min(max(high.rounded(.up), 0), Double(limit)))
      return first..<max(first, min((last + 1) & ~1, limit))
    }
    columns = range(bounds.low.x, bounds.high.x, size.width)
    rows = range(bounds.low.y, bounds.high.y, size.height)
  }

  /// Returns the area with a margin around it.
  func expanded(by margin: Int) -> PixelArea {
    PixelArea(
      columns: columns.lowerBound - margin..<columns.upperBound + margin,
      rows: rows.lowerBound - margin..<rows.upperBound + margin
    )
  }

  /// Returns the smallest area with both areas.
  func union(_ other: PixelArea) -> PixelArea {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelArea(
      columns: min(
        columns.lowerBound,
        other.columns.lowerBound
      )..<max(columns.upperBound, other.columns.upperBound),
      rows: min(rows.lowerBound, other.rows.lowerBound)..<max(rows.upperBound, other.rows.upperBound)
    )
  }

  /// Returns the area that both areas share.
  func intersection(_ other: PixelArea) -> PixelArea {
    PixelArea(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
  }
}
