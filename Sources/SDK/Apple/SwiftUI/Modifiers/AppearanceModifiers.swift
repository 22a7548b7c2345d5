// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// A view with another one behind it, which does not change its size.
private struct BackedView<Content: View, Back: View>: BuiltInView, Arranged {
  let content: Content
  let back: Back
  let alignment: Alignment

  func update(_ node: ViewNode) throws { try node.setChildren([(0, back), (1, content)]) }

  func size(_ proposal: Proposal, of element: Element) -> Vector { element.parts[1].size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    element.parts[0].place(in: frame, aligned: alignment, placement)
    element.parts[1].place(in: frame, placement)
  }
}

extension View {
  /// Draws views behind the view.
  public func background<Content: View>(
    alignment: Alignment = .center,
    @ViewBuilder content: () -> Content
  ) -> some View {
    BackedView(content: self, back: content(), alignment: alignment)
  }

  /// Draws a view behind the view.
  public func background(_ background: some View, alignment: Alignment = .center) -> some View {
    BackedView(content: self, back: background, alignment: alignment)
  }

  /// Draws a color or pattern behind the view.
  @_disfavoredOverload
  public func background(_ style: some ShapeStyle) -> some View { background(style, in: Rectangle()) }

  /// Draws a shape behind the view.
  public func background(_ style: some ShapeStyle, in shape: some Shape) -> some View {
    BackedView(content: self, back: shape.fill(style), alignment: .center)
  }

  /// Draws a line inside the edges of the view, over it.
  public func border(_ content: some ShapeStyle, width: CGFloat = 1) -> some View {
    overlay(Rectangle().strokeBorder(content, lineWidth: width))
  }

  /// Draws a view over the view.
  public func overlay(_ overlay: some View, alignment: Alignment = .center) -> some View {
    self.overlay(alignment: alignment) { overlay }
  }

  /// Sets the opacity of the view: 0 hides it, and 1 changes nothing. Areas that overlap in the view show through each other.
  public func opacity(_ opacity: Double) -> some View {
    effect(OpacityEffect(opacity: opacity))
  }

  /// Hides the view, which keeps its space.
  public func hidden() -> some View { opacity(0).allowsHitTesting(false) }

  /// Rotates the view clockwise around a point of its frame.
  public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View {
    effect(RotationEffect(angle: angle, anchor: anchor.vector))
  }

  /// Scales the view around a point of its frame.
  public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some View {
    scaleEffect(x: scale, y: scale, anchor: anchor)
  }

  /// Scales the view around a point of its frame.
  public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some View {
    effect(ScaleEffect(factors: Vector(x, y), anchor: anchor.vector))
  }

  /// Moves the view by a distance in points.
  public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View {
    effect(OffsetEffect(distance: Vector(x, y)))
  }

  /// Moves the view by a distance in points.
  public func offset(_ distance: CGSize) -> some View { offset(x: distance.width, y: distance.height) }

  /// Draws only the part of the view that is in a shape.
  public func clipShape(_ shape: some Shape) -> some View { effect(ClipEffect(shape: shape)) }

  /// Draws only the part of the view that is in its frame.
  public func clipped() -> some View { clipShape(Rectangle()) }

  /// Draws a blurred copy of the view in a color behind the view.
  ///
  /// - Parameters:
  ///   - color: The color of the shadow.
  ///   - radius: The distance in points over which the edges of the shadow are blurred to each side.
  ///   - x: The horizontal distance from the view, in points.
  ///   - y: The vertical distance from the view, in points.
  /// - Returns: The view with the shadow.
  public func shadow(
    color: Color = Color(white: 0, opacity: 0.33),
    radius: CGFloat,
    x: CGFloat = 0,
    y: CGFloat = 0
  ) -> some View {
    effect(ShadowEffect(color: color, radius: radius, distance: Vector(x, y)))
  }

  /// Rounds the corners of the view.
  public func cornerRadius(_ radius: CGFloat) -> some View {
    clipShape(RoundedRectangle(cornerRadius: radius))
  }
}
