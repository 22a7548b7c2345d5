// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// The appearance of a filled shape that can change gradually.
private struct ShapeAppearance<Numbers: VectorArithmetic>: Equatable {
  var paint: Paint
  /// The numbers of the shape.
  var numbers: Numbers
  /// The width of the line in points; 0 without a line.
  var lineWidth: Double
}

extension ShapeAppearance: @MainActor Interpolatable {
  func interpolated(to other: ShapeAppearance, _ share: Double) -> ShapeAppearance {
    ShapeAppearance(
      paint: paint.interpolated(to: other.paint, share),
      numbers: numbers.interpolated(to: other.numbers, share),
      lineWidth: max(0, lineWidth.interpolated(to: other.lineWidth, share))
    )
  }
}

/// A shape with its color and stroke.
public struct FilledShape<Base: Shape>: View, BuiltInView, Arranged {
  let shape: Base
  /// The paint, or `nil` for that of content.
  let style: Paint?
  let stroke: StrokeStyle?
  /// The distance of the shape from its frame.
  let inset: Double

  package func update(_ node: ViewNode) throws {
    node.animate(to: appearance(style ?? node.environment.values.style.contentPaint))
  }

  private func appearance(_ paint: Paint) -> ShapeAppearance<Base.AnimatableData> {
    ShapeAppearance(
      paint: paint,
      numbers: shape.animatableData,
      lineWidth: (stroke?.lineWidth).map(Double.init) ?? 0
    )
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    // A circle is as large as the smaller side.
    guard Base.self == Circle.self else { return proposal.filled }
    return Vector(repeating: min(proposal.width ?? proposal.filled.y, proposal.height ?? proposal.filled.x))
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    let target = appearance(style ?? element.environment?.style.contentPaint ?? .color(.primary))
    let current = element.node?.animated(target) ?? target
    var shape = shape
    shape.animatableData = current.numbers
    let path = shape.path(in: frame.rect.insetBy(dx: inset, dy: inset))
    let stroke = stroke.map { StrokeStyle(lineWidth: current.lineWidth, lineCap: $0.lineCap) }
    placement.fill(stroke.map(path.stroked) ?? path.outline, current.paint)
  }
}

extension FilledShape {
  /// Draws the outline of the shape, inside the frame, over the filled shape.
  public func strokeBorder(_ style: some ShapeStyle, lineWidth: CGFloat = 1) -> some View {
    overlay(shape.strokeBorder(style, lineWidth: lineWidth))
  }

  /// Draws the outline of the shape over the filled shape.
  public func stroke(_ style: some ShapeStyle, lineWidth: CGFloat = 1) -> some View {
    overlay(shape.stroke(style, lineWidth: lineWidth))
  }
}
