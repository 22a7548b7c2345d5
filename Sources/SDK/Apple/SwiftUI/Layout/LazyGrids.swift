// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// A column of a ``LazyVGrid``, or a row of a ``LazyHGrid``; SwiftUI's name.
public struct GridItem: Sendable {
  /// The length of a column or row, in points.
  public enum Size: Sendable {
    /// One column of a length.
    case fixed(CGFloat)
    /// One column with a share of the space.
    case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
    /// As many columns as the space has room for.
    case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
  }

  /// The length.
  public var size: Size
  /// The distance to the next column or row in points, or `nil` for 8.
  public var spacing: CGFloat?
  /// The position of the views in their cells, or `nil` for the center.
  public var alignment: Alignment?

  /// Creates a column or row.
  public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
    (self.size, self.spacing, self.alignment) = (size, spacing, alignment)
  }
}

/// Views in columns, which follow each other from left to right and then from top to bottom; SwiftUI's name.
///
/// All views are created at once.
public struct LazyVGrid<Content: View>: View, BuiltInView, Arranged {
  private let layout: TrackLayout
  private let content: Content

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - alignment: The position of the columns in the available width.
  ///   - spacing: The distance between rows in points, or `nil` for 8.
  ///   - content: The views.
  public init(
    columns: [GridItem],
    alignment: HorizontalAlignment = .center,
    spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    layout = TrackLayout(
      axis: .horizontal,
      items: columns,
      share: alignment.share,
      spacing: spacing ?? 8
    )
    self.content = content()
  }

  package func update(_ node: ViewNode) throws { try node.setChild(content) }

  func size(_ proposal: Proposal, of element: Element) -> Vector { layout.size(proposal, of: element) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    layout.place(element, in: frame, placement)
  }
}

/// Views in rows, which follow each other from top to bottom and then from left to right; SwiftUI's name.
///
/// All views are created at once.
public struct LazyHGrid<Content: View>: View, BuiltInView, Arranged {
  private let layout: TrackLayout
  private let content: Content

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - alignment: The position of the rows in the available height.
  ///   - spacing: The distance between columns in points, or `nil` for 8.
  ///   - content: The views.
  public init(
    rows: [GridItem],
    alignment: VerticalAlignment = .center,
    spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    layout = TrackLayout(axis: .vertical, items: rows, share: alignment.share, spacing: spacing ?? 8)
    self.content = content()
  }

  package func update(_ node: ViewNode) throws { try node.setChild(content) }

  func size(_ proposal: Proposal, of element: Element) -> Vector { layout.size(proposal, of: element) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    layout.place(element, in: frame, placement)
  }
}

/// The layout of views in tracks: columns, or rows.
@MainActor
private struct TrackLayout {
  /// A column or row with its position.
  struct Track {
    let start: Double
    let length: Double
    let alignment: Alignment
  }

  /// The axis on which the tracks are next to each other.
  let axis: Axis
  let items: [GridItem]
  /// The share of the free space that is before the first track.
  let share: Double
  /// The distance between the lines of views across the tracks.
  let spacing: Double

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    let tracks = tracks(proposal)
    let lines = lines(element, tracks)
    var size = Vector(0, 0)
    let end = tracks.last.map { $0.start + $0.length } ?? 0
    size[axis.index] = max(end, length(proposal) ?? 0)
    size[1 - axis.index] = lines.reduce(0, +) + spacing * Double(max(0, lines.count - 1))
    return size
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    let tracks = tracks(Proposal(frame.size))
    guard let last = tracks.last else { return }
    let (along, across) = (axis.index, 1 - axis.index)
    let free = max(0, frame.size[along] - last.start - last.length)
    var origin = frame.low
    for (line, height) in lines(element, tracks).enumerated() {
      for (track, content) in zip(tracks, element.content.dropFirst(line * tracks.count)) {
        var size = Vector(repeating: height)
        size[along] = track.length
        origin[along] = frame.low[along] + free * share + track.start
        content.place(in: Bounds(at: origin, size), aligned: track.alignment, placement)
      }
      origin[across] += height + spacing
    }
  }

  private func length(_ proposal: Proposal) -> Double? {
    axis == .horizontal ? proposal.width : proposal.height
  }

  /// Returns the lengths of the lines across the tracks.
  private func lines(_ element: Element, _ tracks: [Track]) -> [Double] {
    guard !tracks.isEmpty else { return [] }
    return stride(from: 0, to: element.content.count, by: tracks.count).map { start in
      zip(tracks, element.content.dropFirst(start)).map { track, content in
        let proposal =
          axis == .horizontal
          ? Proposal(width: track.length, height: nil) : Proposal(width: nil, height: track.length)
        return content.size(proposal)[1 - axis.index]
      }.max() ?? 0
    }
  }

  /// Returns the tracks in a proposed space. Each item takes an equal share of the rest, within its limits.
  private func tracks(_ proposal: Proposal) -> [Track] {
    let gaps = items.map { Double($0.spacing ?? 8) }
    let fixed: [Double] = items.compactMap(\.fixedLength)
    var rest: Double = (length(proposal) ?? 0) - gaps.dropLast().reduce(0, +) - fixed.reduce(0, +)
    var count = items.count - fixed.count
    var tracks: [Track] = []
    var start = 0.0
    for (item, gap) in zip(items, gaps) {
      let share = max(0, rest) / Double(max(1, count))
      let lengths = item.lengths(share, gap)
      if item.fixedLength == nil {
        rest -= lengths.reduce(0, +) + gap * Double(lengths.count - 1)
        count -= 1
      }
      for length in lengths {
        tracks.append(Track(start: start, length: length, alignment: item.alignment ?? .center))
        start += length + gap
      }
    }
    return tracks
  }
}

extension GridItem {
  /// The length of an item that does not depend on the space, or `nil`.
  fileprivate var fixedLength: Double? { if case .fixed(let length) = size { Double(length) } else { nil } }

  /// Returns the lengths of the columns or rows of the item, at least one, in a share of the space.
  fileprivate func lengths(_ share: Double, _ gap: Double) -> [Double] {
    switch size {
    case .fixed(let length): return [Double(length)]
    case .flexible(let minimum, let maximum): return [max(Double(minimum), min(share, Double(maximum)))]
    case .adaptive(let minimum, let maximum):
      let least = max(1, Double(minimum))
      // A layout without a limit has one column. The quotient is infinite if a negative distance is as large as a column.
      let count = share.isFinite ? max(1, min(1000, ((share + gap) / (least + gap)).rounded(.down))) : 1
      let length = (share - gap * (count - 1)) / count
      return [Double](repeating: max(least, min(length, Double(maximum))), count: Int(count))
    }
  }
}
