// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// A two-dimensional shape, which fills the proposed space with the color of content; SwiftUI's name and requirement.
public protocol Shape: Animatable, View {
  /// Returns the outline of the shape in a rectangle.
  func path(in rect: CGRect) -> Path
}

extension Shape {
  /// The shape, filled with the color of content.
  public var body: FilledShape<Self> { FilledShape(shape: self, style: nil, stroke: nil, inset: 0) }

  /// Returns a view of the shape with a color or pattern.
  public func fill(_ style: some ShapeStyle = Color.primary) -> FilledShape<Self> {
    FilledShape(shape: self, style: style.resolvedPaint, stroke: nil, inset: 0)
  }

  /// Returns a view of the outline of the shape.
  public func stroke(_ style: some ShapeStyle, lineWidth: CGFloat = 1) -> FilledShape<Self> {
    stroke(style, style: StrokeStyle(lineWidth: lineWidth))
  }

  /// Returns a view of the outline of the shape.
  public func stroke(_ content: some ShapeStyle, style: StrokeStyle) -> FilledShape<Self> {
    FilledShape(shape: self, style: content.resolvedPaint, stroke: style, inset: 0)
  }

  /// Returns a view of the outline of the shape in the color of content.
  public func stroke(lineWidth: CGFloat = 1) -> FilledShape<Self> {
    FilledShape(shape: self, style: nil, stroke: StrokeStyle(lineWidth: lineWidth), inset: 0)
  }

  /// Returns a view of the outline of the shape in a rectangle whose edges are inset by half of the line width, so that the
  /// line is inside the frame.
  public func strokeBorder(_ style: some ShapeStyle, lineWidth: CGFloat = 1) -> FilledShape<Self> {
    strokeBorder(style, style: StrokeStyle(lineWidth: lineWidth))
  }

  /// Returns a view of the outline of the shape inside the frame, as ``strokeBorder(_:lineWidth:)``.
  public func strokeBorder(_ content: some ShapeStyle, style: StrokeStyle) -> FilledShape<Self> {
    FilledShape(shape: self, style: content.resolvedPaint, stroke: style, inset: style.lineWidth / 2)
  }

  /// Returns the shape in a rectangle whose edges are inset, in points.
  public func inset(by amount: CGFloat) -> some Shape { InsetShape(shape: self, amount: amount) }

  /// Returns a part of the outline of the shape.
  ///
  /// - Parameters:
  ///   - start: The share of the length at which the part starts, from 0 to 1.
  ///   - end: The share of the length at which the part ends.
  /// - Returns: A shape with the part of the outline.
  public func trim(from start: CGFloat = 0, to end: CGFloat = 1) -> some Shape {
    TrimmedShape(shape: self, shares: AnimatablePair(start, end))
  }
}

/// A part of the outline of a shape.
private struct TrimmedShape<Base: Shape>: Shape {
  var shape: Base
  /// The shares of the length at which the part starts and ends.
  var shares: AnimatablePair<CGFloat, CGFloat>

  var animatableData: AnimatablePair<Base.AnimatableData, AnimatablePair<CGFloat, CGFloat>> {
    get { AnimatablePair(shape.animatableData, shares) }
    set { (shape.animatableData, shares) = (newValue.first, newValue.second) }
  }

  func path(in rect: CGRect) -> Path { shape.path(in: rect).trimmed(from: shares.first, to: shares.second) }
}

/// A shape in a smaller rectangle.
private struct InsetShape<Base: Shape>: Shape {
  var shape: Base
  /// The distance from the edges.
  var amount: CGFloat

  var animatableData: AnimatablePair<Base.AnimatableData, CGFloat> {
    get { AnimatablePair(shape.animatableData, amount) }
    set { (shape.animatableData, amount) = (newValue.first, newValue.second) }
  }

  func path(in rect: CGRect) -> Path {
    // A rectangle that is too small is a point in its center.
    shape.path(in: rect.insetBy(dx: min(amount, rect.width / 2), dy: min(amount, rect.height / 2)))
  }
}

/// A rectangle; SwiftUI's name.
public struct Rectangle: Shape {
  /// Creates a rectangle.
  public init() {}

  /// Returns the rectangle.
  public func path(in rect: CGRect) -> Path { Path(rect) }
}

/// A rectangle with round corners; SwiftUI's name.
public struct RoundedRectangle: Shape {
  /// The size of the corners.
  private var cornerSize: CGSize

  /// The size of the corners, which can change gradually.
  public var animatableData: CGSize.AnimatableData {
    get { cornerSize.animatableData }
    set { cornerSize.animatableData = newValue }
  }

  /// Creates a rectangle with corners of a radius in points. The style of the corners makes no difference.
  public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
    cornerSize = CGSize(width: cornerRadius, height: cornerRadius)
  }

  /// Returns the rectangle with its corners.
  public func path(in rect: CGRect) -> Path {
    var path = Path()
    path.addRoundedRect(in: rect, cornerSize: cornerSize)
    return path
  }
}

/// The style of round corners; SwiftUI's name and cases.
public enum RoundedCornerStyle: Hashable, Sendable {
  /// A quarter of a circle.
  case circular
  /// A curve without a visible start, which is drawn like `circular`.
  case continuous
}

/// A rectangle whose short sides are half circles; SwiftUI's name.
public struct Capsule: Shape {
  /// Creates a capsule. The style of the corners makes no difference.
  public init(style: RoundedCornerStyle = .continuous) {}

  /// Returns the capsule.
  public func path(in rect: CGRect) -> Path {
    Path(roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2)
  }
}

/// A circle in the center of the frame; SwiftUI's name.
public struct Circle: Shape {
  /// Creates a circle.
  public init() {}

  /// Returns the circle.
  public func path(in rect: CGRect) -> Path {
    let side = min(rect.width, rect.height)
    let square = CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side)
    return Path(ellipseIn: square)
  }
}

/// An ellipse; SwiftUI's name.
public struct Ellipse: Shape {
  /// Creates an ellipse.
  public init() {}

  /// Returns the ellipse.
  public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
}

extension Path: Shape {
  /// Returns the path at the origin of the rectangle.
  public func path(in rect: CGRect) -> Path {
    replacing(outline.transformed(by: .translation(Vector(rect.origin))))
  }
}

extension Shape where Self == Circle {
  /// A circle.
  public static var circle: Circle { Circle() }
}

extension Shape where Self == Capsule {
  /// A capsule.
  public static var capsule: Capsule { Capsule() }
}

extension Shape where Self == Rectangle {
  /// A rectangle.
  public static var rect: Rectangle { Rectangle() }
}

extension Shape where Self == RoundedRectangle {
  /// Returns a rectangle with corners of a radius in points.
  public static func rect(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) -> RoundedRectangle
  { RoundedRectangle(cornerRadius: cornerRadius, style: style) }
}

extension Shape where Self == UnevenRoundedRectangle {
  /// Returns a rectangle with different corners, each of a radius in points.
  public static func rect(
    topLeadingRadius: CGFloat = 0,
    bottomLeadingRadius: CGFloat = 0,
    bottomTrailingRadius: CGFloat = 0,
    topTrailingRadius: CGFloat = 0,
    style: RoundedCornerStyle = .continuous
  ) -> UnevenRoundedRectangle {
    UnevenRoundedRectangle(
      topLeadingRadius: topLeadingRadius,
      bottomLeadingRadius: bottomLeadingRadius,
      bottomTrailingRadius: bottomTrailingRadius,
      topTrailingRadius: topTrailingRadius,
      style: style
    )
  }
}

extension Color: View, BuiltInView, Arranged {
  package func update(_ node: ViewNode) throws { node.animate(to: self) }

  func size(_ proposal: Proposal, of element: Element) -> Vector { proposal.filled }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    placement.fill(.rectangle(frame), .color(element.node?.animated(self) ?? self))
  }
}
