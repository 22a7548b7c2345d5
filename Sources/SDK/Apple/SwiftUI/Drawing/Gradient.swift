// SPDX-License-Identifier: Apache-2.0

public import Foundation

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

  /// Creates a gradient from stops.
  public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
    self.init(gradient: Gradient(stops: stops), startPoint: startPoint, endPoint: endPoint)
  }

  var paint: Paint { .linear(gradient, start: start.vector, end: end.vector) }
}

extension Color {
  /// A vertical gradient from a lighter color to this one; SwiftUI's property.
  public var gradient: LinearGradient {
    let light = SIMD4(repeating: 1.0)
    var lighter = components + (light - components) * 0.2
    lighter.w = components.w
    return LinearGradient(colors: [Color(lighter), self], startPoint: .top, endPoint: .bottom)
  }
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
