// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// A view that arranges its content in a column; SwiftUI's name.
public struct VStack<Content: View>: View, BuiltInView, Arranged {
  private let alignment: HorizontalAlignment
  private let spacing: Double
  private let content: Content

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - alignment: The position of the views on the horizontal axis.
  ///   - spacing: The distance between views in points, or `nil` for 8.
  ///   - content: The views from top to bottom.
  public init(
    alignment: HorizontalAlignment = .center,
    spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    self.alignment = alignment
    self.spacing = spacing ?? 8
    self.content = content()
  }

  package func update(_ node: ViewNode) throws { try node.setChild(content) }

  private var line: LineLayout { LineLayout(axis: .vertical, spacing: spacing, crossShare: alignment.share) }

  func size(_ proposal: Proposal, of element: Element) -> Vector { line.size(proposal, of: element) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    line.place(element, in: frame, placement)
  }
}

/// A view that arranges its content in a row; SwiftUI's name.
public struct HStack<Content: View>: View, BuiltInView, Arranged {
  private let alignment: VerticalAlignment
  private let spacing: Double
  private let content: Content

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - alignment: The position of the views on the vertical axis.
  ///   - spacing: The distance between views in points, or `nil` for 8.
  ///   - content: The views from left to right.
  public init(
    alignment: VerticalAlignment = .center,
    spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    self.alignment = alignment
    self.spacing = spacing ?? 8
    self.content = content()
  }

  package func update(_ node: ViewNode) throws { try node.setChild(content) }

  private var line: LineLayout {
    LineLayout(axis: .horizontal, spacing: spacing, crossShare: alignment.share)
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { line.size(proposal, of: element) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    line.place(element, in: frame, placement)
  }
}

/// A direction; SwiftUI's name.
public enum Axis: Sendable, Hashable, CaseIterable {
  /// From left to right.
  case horizontal
  /// From top to bottom.
  case vertical

  /// The index of the direction in a vector.
  var index: Int { self == .horizontal ? 0 : 1 }
}

/// A view whose size depends on the direction of the enclosing stack.
@MainActor
protocol DirectedView: Arranged {
  /// Returns the size of the view in a stack.
  func size(_ proposal: Proposal, along axis: Axis) -> Vector
}

/// The layout of views in a line.
///
/// The least flexible view takes its share of the space first; the others share the rest, as in SwiftUI.
@MainActor
struct LineLayout {
  let axis: Axis
  let spacing: Double
  /// The share of the free space across the line that is before a view.
  let crossShare: Double

  /// Returns the size of the line.
  func size(_ proposal: Proposal, of element: Element) -> Vector {
    let sizes = sizes(proposal, element.content)
    var size = sizes.reduce(Vector(0, 0)) { pointwiseMax($0, $1) }
    size[axis.index] = sizes.reduce(gaps(sizes.count)) { $0 + $1[axis.index] }
    return size
  }

  /// Draws the views of the line.
  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    let sizes = sizes(Proposal(frame.size), element.content)
    let (along, across) = (axis.index, 1 - axis.index)
    var origin = frame.low
    for (content, size) in zip(element.content, sizes) {
      origin[across] = frame.low[across] + (frame.size[across] - size[across]) * crossShare
      content.place(in: Bounds(at: origin, size), placement)
      origin[along] += size[along] + spacing
    }
  }

  private func gaps(_ count: Int) -> Double { spacing * Double(max(0, count - 1)) }

  /// Returns the sizes of the views for a proposal to the line.
  private func sizes(_ proposal: Proposal, _ content: [Element]) -> [Vector] {
    guard var rest = axis == .horizontal ? proposal.width : proposal.height else {
      return content.map { size(of: $0, nil, proposal) }
    }
    rest -= gaps(content.count)
    let shares = Self.shares(of: content.count, in: rest) { size(of: content[$0], $1, proposal)[axis.index] }
    return zip(content, shares).map { size(of: $0, $1, proposal) }
  }

  /// Returns the lengths that are proposed to the parts of a line.
  ///
  /// - Parameters:
  ///   - count: The number of parts.
  ///   - rest: The length for all parts, without the space between them.
  ///   - length: Returns the length that a part takes of a proposed one.
  /// - Returns: The proposed lengths. The least flexible part takes its share first.
  static func shares(of count: Int, in rest: Double, _ length: (Int, Double) -> Double) -> [Double] {
    var rest = rest
    var shares = [Double](repeating: 0, count: count)
    let flexibility = (0..<count).map { length($0, .infinity) - length($0, 0) }
    for (rank, index) in (0..<count).sorted(by: { flexibility[$0] < flexibility[$1] }).enumerated() {
      shares[index] = max(0, rest / Double(count - rank))
      // The rest of an unlimited length is unlimited.
      if rest.isFinite { rest -= length(index, shares[index]) }
    }
    return shares
  }

  private func size(of element: Element, _ length: Double?, _ proposal: Proposal) -> Vector {
    let proposal =
      axis == .horizontal
      ? Proposal(width: length, height: proposal.height) : Proposal(width: proposal.width, height: length)
    if let view = element.view as? any DirectedView { return view.size(proposal, along: axis) }
    return element.size(proposal)
  }
}
