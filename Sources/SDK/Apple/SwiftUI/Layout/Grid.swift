// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// A table whose columns are as wide as their widest view; SwiftUI's name.
///
/// Each ``GridRow`` is a row of the table. Any other view is a row of its own, over all columns.
public struct Grid<Content: View>: View, BuiltInView, Arranged {
  private let table: TableLayout
  private let content: Content

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - alignment: The position of the views in their cells.
  ///   - horizontalSpacing: The distance between columns in points, or `nil` for 8.
  ///   - verticalSpacing: The distance between rows in points, or `nil` for 8.
  ///   - content: The rows.
  public init(
    alignment: Alignment = .center,
    horizontalSpacing: CGFloat? = nil,
    verticalSpacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    table = TableLayout(
      alignment: alignment,
      spacing: Vector(horizontalSpacing ?? 8, verticalSpacing ?? 8)
    )
    self.content = content()
  }

  package func update(_ node: ViewNode) throws { try node.setChild(content) }

  func size(_ proposal: Proposal, of element: Element) -> Vector { table.size(proposal, of: element) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    table.place(element, in: frame, placement)
  }
}

/// A row of a ``Grid``; SwiftUI's name. Outside a grid, it is a row of views.
public struct GridRow<Content: View>: View, BuiltInView, TableRow {
  let alignment: VerticalAlignment?
  private let content: Content

  /// Creates a row with a position of the views on the vertical axis, or `nil` for that of the grid.
  public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
    self.alignment = alignment
    self.content = content()
  }

  package func update(_ node: ViewNode) throws { try node.setChild(content) }

  private var line: LineLayout {
    LineLayout(axis: .horizontal, spacing: 8, crossShare: (alignment ?? .center).share)
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { line.size(proposal, of: element) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    line.place(element, in: frame, placement)
  }
}

/// A row of a table.
@MainActor
private protocol TableRow: Arranged {
  var alignment: VerticalAlignment? { get }
}

/// A view with properties of its cell in a ``Grid``.
private struct TableCell<Content: View>: BuiltInView, TableCellView {
  let content: Content
  var columns = 1
  var alignment: HorizontalAlignment?

  func update(_ node: ViewNode) throws { try node.setChild(content) }

  func size(_ proposal: Proposal, of element: Element) -> Vector { element.onlyContent.size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    element.onlyContent.place(in: frame, placement)
  }
}

/// The properties of a cell.
@MainActor
private protocol TableCellView: Arranged {
  var columns: Int { get }
  var alignment: HorizontalAlignment? { get }
}

extension View {
  /// Sets the position of the views in a column of a ``Grid``; one view of the column sets it for all.
  public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View {
    TableCell(content: self, alignment: guide)
  }

  /// Puts the view in a ``Grid`` in a cell over several columns, at most 1000.
  public func gridCellColumns(_ count: Int) -> some View {
    TableCell(content: self, columns: min(1000, max(1, count)))
  }
}

/// The layout of a table.
@MainActor
private struct TableLayout {
  /// A view in a row.
  struct Cell {
    let element: Element
    let columns: Range<Int>
  }

  /// The cells of the rows, and the lengths of the columns and the rows.
  struct Measure {
    let rows: [[Cell]]
    let widths: [Double]
    let heights: [Double]
  }

  let alignment: Alignment
  let spacing: Vector

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    let measure = measure(proposal, element)
    return Vector(
      length(measure.widths, measure.widths.indices, spacing.x),
      length(measure.heights, measure.heights.indices, spacing.y)
    )
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    let measure = measure(Proposal(frame.size), element)
    let alignments = alignments(measure)
    var top = frame.low.y
    for (index, row) in measure.rows.enumerated() {
      let vertical = (element.content[index].view as? any TableRow)?.alignment ?? alignment.vertical
      for cell in row {
        let left = length(measure.widths, 0..<cell.columns.lowerBound, spacing.x)
        let gap = cell.columns.lowerBound > 0 ? spacing.x : 0
        let width = length(measure.widths, cell.columns, spacing.x)
        let bounds = Bounds(at: Vector(frame.low.x + left + gap, top), Vector(width, measure.heights[index]))
        let horizontal = cell.columns.count == 1 ? alignments[cell.columns.lowerBound] : alignment.horizontal
        cell.element.place(
          in: bounds,
          aligned: Alignment(horizontal: horizontal, vertical: vertical),
          placement
        )
      }
      top += measure.heights[index] + spacing.y
    }
  }

  /// Returns the sum of some lengths with the space between them.
  private func length(_ lengths: [Double], _ indices: Range<Int>, _ spacing: Double) -> Double {
    lengths[indices].reduce(0, +) + spacing * Double(max(0, indices.count - 1))
  }

  /// Returns the position of the views in each column.
  private func alignments(_ measure: Measure) -> [HorizontalAlignment] {
    measure.widths.indices.map { column in
      let cells = measure.rows.joined().filter { $0.columns == column..<column + 1 }
      return cells.lazy.compactMap { ($0.element.view as? any TableCellView)?.alignment }.first
        ?? alignment.horizontal
    }
  }

  private func measure(_ proposal: Proposal, _ element: Element) -> Measure {
    let rows = rows(element)
    let columns = rows.joined().map(\.columns.upperBound).max() ?? 0
    let narrow = rows.joined().filter { $0.columns.count == 1 }
    func width(_ column: Int, _ width: Double?) -> Double {
      narrow.filter { $0.columns.lowerBound == column }
        .map { $0.element.size(Proposal(width: width, height: nil)).x }.max() ?? 0
    }
    let widths = lengths(columns, proposal.width, spacing.x, width)
    func height(_ row: Int, _ height: Double?) -> Double {
      rows[row].map { cell in
        let width = length(widths, cell.columns, spacing.x)
        return cell.element.size(Proposal(width: width, height: height)).y
      }.max() ?? 0
    }
    return Measure(
      rows: rows,
      widths: widths,
      heights: lengths(rows.count, proposal.height, spacing.y, height)
    )
  }

  /// Returns the lengths of columns or rows for a proposed length.
  private func lengths(
    _ count: Int,
    _ proposed: Double?,
    _ spacing: Double,
    _ length: (Int, Double?) -> Double
  ) -> [Double] {
    guard let proposed else { return (0..<count).map { length($0, nil) } }
    let rest = proposed - spacing * Double(max(0, count - 1))
    return LineLayout.shares(of: count, in: rest, length).enumerated().map(length)
  }

  /// Returns the cells of the rows.
  private func rows(_ element: Element) -> [[Cell]] {
    let rows = element.content.map { row -> [Cell] in
      guard row.view is any TableRow else { return [] }
      var column = 0
      return row.content.map { cell in
        let count = (cell.view as? any TableCellView)?.columns ?? 1
        defer { column += count }
        return Cell(element: cell, columns: column..<column + count)
      }
    }
    let columns = max(1, rows.joined().map(\.columns.upperBound).max() ?? 0)
    return zip(element.content, rows).map { element, row in
      element.view is any TableRow ? row : [Cell(element: element, columns: 0..<columns)]
    }
  }
}
