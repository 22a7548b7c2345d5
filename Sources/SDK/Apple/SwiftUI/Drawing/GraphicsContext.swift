// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The drawing of a ``Canvas``; SwiftUI's name. The origin is the upper left corner of the view, and the unit is a point.
///
/// A copy of the context has its own opacity, transform and clipping.
@MainActor
public struct GraphicsContext {
  /// The color or pattern of an area; SwiftUI's name.
  public struct Shading: Sendable {
    fileprivate enum Content: Sendable {
      case paint(Paint)
      case line(Gradient, CGPoint, CGPoint)
    }

    fileprivate let content: Content

    /// The color of content.
    public static let foreground = Shading(content: .paint(.color(.primary)))

    /// Returns one color.
    public static func color(_ color: Color) -> Shading { Shading(content: .paint(.color(color))) }

    /// Returns a style.
    public static func style(_ style: some ShapeStyle) -> Shading {
      Shading(content: .paint(style.resolvedPaint))
    }

    /// Returns a gradient between two points.
    public static func linearGradient(_ gradient: Gradient, startPoint: CGPoint, endPoint: CGPoint) -> Shading
    {
      Shading(content: .line(gradient, startPoint, endPoint))
    }

    /// Returns the paint of an area with bounds.
    fileprivate func paint(_ bounds: CGRect) -> Paint {
      switch content {
      case .paint(let paint): return paint
      case .line(let gradient, let start, let end):
        // Paints refer to the unit square over the area.
        let size = Vector(max(1e-6, bounds.width), max(1e-6, bounds.height))
        let origin = Vector(bounds.origin)
        return .linear(gradient, start: (Vector(start) - origin) / size, end: (Vector(end) - origin) / size)
      }
    }
  }

  /// The opacity of the following drawings, from 0 to 1.
  public var opacity = 1.0
  private var placement: Placement
  private let style: ViewStyle

  /// Creates the context of a view with a frame.
  init(_ placement: Placement, _ frame: Bounds, _ style: ViewStyle) {
    var placement = placement
    placement.transform = placement.transform.after(.translation(frame.low))
    (self.placement, self.style) = (placement, style)
  }

  private var current: Placement {
    var placement = placement
    placement.opacity *= min(1, max(0, opacity))
    return placement
  }

  /// Fills a path.
  public func fill(_ path: Path, with shading: Shading) {
    current.fill(path.outline, shading.paint(path.boundingRect))
  }

  /// Draws the line along a path.
  public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {
    current.fill(path.stroked(style), shading.paint(path.boundingRect))
  }

  /// Draws the line along a path.
  public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {
    stroke(path, with: shading, style: StrokeStyle(lineWidth: lineWidth))
  }

  /// Draws a text with a point of its frame at a position.
  public func draw(_ text: Text, at point: CGPoint, anchor: UnitPoint = .center) {
    text.draw(at: Vector(point), anchor: anchor.vector, style, current)
  }

  /// Draws an image in a rectangle.
  public func draw(_ image: Image, in rect: CGRect) { image.draw(in: Bounds(rect), style, current) }

  /// Draws only the part of the following drawings that is in a path.
  public mutating func clip(to path: Path) {
    placement.clips.append(path.outline.transformed(by: placement.transform))
  }

  /// Moves the origin of the following drawings.
  public mutating func translateBy(x: CGFloat, y: CGFloat) { transform(.translation(Vector(x, y))) }

  /// Scales the following drawings around the origin.
  public mutating func scaleBy(x: CGFloat, y: CGFloat) { transform(.scale(Vector(x, y))) }

  /// Rotates the following drawings clockwise around the origin.
  public mutating func rotate(by angle: Angle) {
    let (cosine, sine) = (cos(angle.radians), sin(angle.radians))
    transform(Transform(x: Vector(cosine, sine), y: Vector(-sine, cosine)))
  }

  private mutating func transform(_ change: Transform) {
    placement.transform = placement.transform.after(change)
  }
}

extension Bounds {
  /// Creates a rectangle from a value of Core Graphics.
  init(_ rect: CGRect) { self.init(at: Vector(rect.origin), Vector(rect.size)) }
}
