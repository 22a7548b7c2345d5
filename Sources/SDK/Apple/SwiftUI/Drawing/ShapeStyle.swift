// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A color or pattern with which shapes and text are filled; SwiftUI's name. The library implements all styles.
public protocol ShapeStyle: Sendable {}

/// A style that can be drawn.
protocol PaintedStyle: ShapeStyle {
  /// The paint of the style.
  var paint: Paint { get }
}

extension ShapeStyle {
  /// The paint of the style; that of content for a style that the library does not implement.
  var resolvedPaint: Paint { (self as? any PaintedStyle)?.paint ?? .color(.primary) }
}

/// The colors of an area.
enum Paint: Equatable, Sendable {
  /// One color.
  case color(Color)
  /// A gradient between two points of the unit square over the area.
  case linear(Gradient, start: Vector, end: Vector)
  /// Nothing: the area shows the frames of the camera, which hide what was drawn before.
  case cameraFrame
}

extension Color: PaintedStyle {
  var paint: Paint { .color(self) }
}

extension ShapeStyle where Self == Color {
  /// Black.
  public static var black: Color { .black }
  /// White.
  public static var white: Color { .white }
  /// Gray.
  public static var gray: Color { .gray }
  /// Red.
  public static var red: Color { .red }
  /// Orange.
  public static var orange: Color { .orange }
  /// Yellow.
  public static var yellow: Color { .yellow }
  /// Green.
  public static var green: Color { .green }
  /// Mint.
  public static var mint: Color { .mint }
  /// Teal.
  public static var teal: Color { .teal }
  /// Cyan.
  public static var cyan: Color { .cyan }
  /// Blue.
  public static var blue: Color { .blue }
  /// Indigo.
  public static var indigo: Color { .indigo }
  /// Purple.
  public static var purple: Color { .purple }
  /// Pink.
  public static var pink: Color { .pink }
  /// Brown.
  public static var brown: Color { .brown }
  /// A color without opacity.
  public static var clear: Color { .clear }
  /// The color of content.
  public static var primary: Color { .primary }
  /// The color of secondary content.
  public static var secondary: Color { .secondary }
  /// The color of controls.
  public static var tint: Color { .accentColor }
}

/// A translucent background, which darkens the views and frames behind it without blurring them; SwiftUI's name.
public struct Material: PaintedStyle {
  private let opacity: Double

  var paint: Paint { .color(Color(white: 0.1, opacity: opacity)) }

  /// The most translucent material.
  public static let ultraThin = Material(opacity: 0.45)
  /// A translucent material.
  public static let thin = Material(opacity: 0.55)
  /// A material that is neither thin nor thick.
  public static let regular = Material(opacity: 0.65)
  /// A material with little translucency.
  public static let thick = Material(opacity: 0.8)
}

extension ShapeStyle where Self == Material {
  /// The most translucent material.
  public static var ultraThinMaterial: Material { .ultraThin }
  /// A translucent material.
  public static var thinMaterial: Material { .thin }
  /// A material that is neither thin nor thick.
  public static var regularMaterial: Material { .regular }
  /// A material with little translucency.
  public static var thickMaterial: Material { .thick }
}

/// Colors with positions between 0 and 1; SwiftUI's name and members.
public struct Gradient: Hashable, Sendable {
  /// A color at a position.
  public struct Stop: Hashable, Sendable {
    /// The color.
    public var color: Color
    /// The position, from 0 to 1.
    public var location: CGFloat

    /// Creates a stop.
    public init(color: Color, location: CGFloat) { (self.color, self.location) = (color, location) }
  }

  /// The stops in the order of their positions.
  public var stops: [Stop]

  /// Creates a gradient from stops.
  public init(stops: [Stop]) { self.stops = stops }

  /// Creates a gradient with equal distances between colors.
  public init(colors: [Color]) {
    let last = CGFloat(max(1, colors.count - 1))
    stops = colors.enumerated().map { Stop(color: $1, location: CGFloat($0) / last) }
  }

  /// Returns the components at a position, interpolated between the nearest stops.
  func components(at position: Double) -> SIMD4<Double> {
    guard let first = stops.first else { return .zero }
    var last = first
    for stop in stops {
      if position < stop.location {
        let distance = stop.location - last.location
        guard distance > 0 else { return stop.color.components }
        let share = max(0, (position - last.location) / distance)
        return last.color.components + (stop.color.components - last.color.components) * share
      }
      last = stop
    }
    return last.color.components
  }
}

/// A gradient along a line; SwiftUI's name. As a view, the gradient fills the available space.
public struct LinearGradient: PaintedStyle {
  private let gradient: Gradient
  private let start: UnitPoint
  private let end: UnitPoint

  /// Creates a gradient between two points of the area that it fills.
  public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
    (self.gradient, start, end) = (gradient, startPoint, endPoint)
  }

  /// Creates a gradient with equal distances between colors.
  public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
    self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
  }

  var paint: Paint { .linear(gradient, start: start.vector, end: end.vector) }
}

/// A point in a unit square; SwiftUI's name and members.
public struct UnitPoint: Hashable, Sendable {
  /// The position from the left, from 0 to 1.
  public var x: CGFloat
  /// The position from the top, from 0 to 1.
  public var y: CGFloat

  /// Creates a point.
  public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }

  var vector: Vector { Vector(x, y) }

  /// The center.
  public static let center = UnitPoint(x: 0.5, y: 0.5)
  /// The middle of the upper edge.
  public static let top = UnitPoint(x: 0.5, y: 0)
  /// The middle of the lower edge.
  public static let bottom = UnitPoint(x: 0.5, y: 1)
  /// The middle of the left edge.
  public static let leading = UnitPoint(x: 0, y: 0.5)
  /// The middle of the right edge.
  public static let trailing = UnitPoint(x: 1, y: 0.5)
  /// The upper left corner.
  public static let topLeading = UnitPoint(x: 0, y: 0)
  /// The upper right corner.
  public static let topTrailing = UnitPoint(x: 1, y: 0)
  /// The lower left corner.
  public static let bottomLeading = UnitPoint(x: 0, y: 1)
  /// The lower right corner.
  public static let bottomTrailing = UnitPoint(x: 1, y: 1)
}
