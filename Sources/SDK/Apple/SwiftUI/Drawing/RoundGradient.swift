// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import LockedCameraCapture

/// The colors of an angular or a radial gradient.
struct RoundGradient: Equatable, Sendable {
  /// The number that selects the color of a point.
  enum Measure: Equatable, Sendable {
    /// The angle around the center: `start` and `length` in radians.
    case angle(start: Double, length: Double)
    /// The distance from the center in points: `start` and `length`.
    case distance(start: Double, length: Double)
  }

  let gradient: Gradient
  /// The center, as a share of the area.
  let center: Vector
  let measure: Measure

  /// Returns the position in the gradient, from 0 to 1 between the ends, of a point at a distance from the center.
  func position(_ offset: Vector) -> Double {
    switch measure {
    case .angle(let start, let length):
      let turn = 2 * Double.pi
      let angle = (atan2(offset.y, offset.x) - start).truncatingRemainder(dividingBy: turn)
      return length > 0 ? (angle < 0 ? angle + turn : angle) / length : 0
    case .distance(let start, let length):
      return length > 0 ? ((offset * offset).sum().squareRoot() - start) / length : 1
    }
  }

  /// Returns the gradient of an area that is transformed: rotated, and with distances in pixels.
  func transformed(by transform: Transform) -> RoundGradient {
    let measure: Measure =
      switch measure {
      case .angle(let start, let length):
        .angle(start: start + atan2(transform.x.y, transform.x.x), length: length)
      case .distance(let start, let length):
        .distance(start: start * transform.scale, length: length * transform.scale)
      }
    return RoundGradient(gradient: gradient, center: center, measure: measure)
  }
}

extension Transform {
  /// The length of a unit square's side after the transform.
  var scale: Double { abs(x.x * y.y - x.y * y.x).squareRoot() }
}

extension Paint {
  /// Returns the paint of an area that is transformed.
  func transformed(by transform: Transform) -> Paint {
    if case .round(let gradient) = self { .round(gradient.transformed(by: transform)) } else { self }
  }
}

/// A gradient around a point; SwiftUI's name. As a view, the gradient fills the available space.
public struct AngularGradient: PaintedStyle {
  let paint: Paint

  /// Creates a gradient between two angles; the color of the rest is that of the end.
  public init(
    gradient: Gradient,
    center: UnitPoint,
    startAngle: Angle = .zero,
    endAngle: Angle = .degrees(360)
  ) {
    paint = .round(
      RoundGradient(
        gradient: gradient,
        center: center.vector,
        measure: .angle(start: startAngle.radians, length: endAngle.radians - startAngle.radians)
      )
    )
  }

  /// Creates a gradient of a whole turn.
  public init(gradient: Gradient, center: UnitPoint, angle: Angle) {
    self.init(gradient: gradient, center: center, startAngle: angle, endAngle: angle + .degrees(360))
  }

  /// Creates a gradient between two angles with equal distances between colors.
  public init(
    colors: [Color],
    center: UnitPoint,
    startAngle: Angle = .zero,
    endAngle: Angle = .degrees(360)
  ) {
    self.init(gradient: Gradient(colors: colors), center: center, startAngle: startAngle, endAngle: endAngle)
  }

  /// Creates a gradient of a whole turn with equal distances between colors.
  public init(colors: [Color], center: UnitPoint, angle: Angle) {
    self.init(gradient: Gradient(colors: colors), center: center, angle: angle)
  }
}

/// A gradient from a point to all sides; SwiftUI's name. As a view, the gradient fills the available space.
public struct RadialGradient: PaintedStyle {
  let paint: Paint

  /// Creates a gradient between two distances from a point, in points.
  public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
    paint = .round(
      RoundGradient(
        gradient: gradient,
        center: center.vector,
        measure: .distance(start: Double(startRadius), length: Double(endRadius - startRadius))
      )
    )
  }

  /// Creates a gradient with equal distances between colors.
  public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
    self.init(
      gradient: Gradient(colors: colors),
      center: center,
      startRadius: startRadius,
      endRadius: endRadius
    )
  }
}
