// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// Free space that pushes the other views of a stack apart; SwiftUI's name.
public struct Spacer: View, BuiltInView, DirectedView {
  private let minLength: Double

  /// Creates a space of at least `minLength` points, or 8 points for `nil`.
  public init(minLength: CGFloat? = nil) { self.minLength = minLength ?? 8 }

  package func update(_ node: ViewNode) throws { Compositor.attach(to: node.graph) }

  func size(_ proposal: Proposal, along axis: Axis) -> Vector {
    let length = (axis == .horizontal ? proposal.width : proposal.height) ?? minLength
    var size = Vector(0, 0)
    size[axis.index] = max(minLength, length)
    return size
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { proposal.filled }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {}
}

/// A line between the views of a stack; SwiftUI's name.
public struct Divider: View, BuiltInView, DirectedView {
  /// Creates a line.
  public init() {}

  package func update(_ node: ViewNode) throws { Compositor.attach(to: node.graph) }

  func size(_ proposal: Proposal, along axis: Axis) -> Vector {
    axis == .horizontal ? Vector(1, proposal.height ?? 10) : Vector(proposal.width ?? 10, 1)
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { size(proposal, along: .vertical) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    placement.fill(.rectangle(frame), .color(.secondary))
  }
}

extension Outline {
  /// Returns the outline of a rectangle.
  static func rectangle(_ bounds: Bounds) -> Outline {
    unitSquare.transformed(
      by: Transform(x: Vector(bounds.size.x, 0), y: Vector(0, bounds.size.y), origin: bounds.low)
    )
  }
}
