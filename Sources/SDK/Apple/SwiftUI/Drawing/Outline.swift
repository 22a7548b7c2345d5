// SPDX-License-Identifier: Apache-2.0

/// A point or a distance, in points or pixels. The vertical axis points down.
typealias Vector = SIMD2<Double>

/// The border of an area, as contours of lines and Bézier curves.
struct Outline: Equatable, Sendable {
  /// The kind of a point; the raw values are the tags of FreeType.
  enum Kind: UInt8, Sendable {
    /// The control point of a quadratic curve.
    case quadratic = 0
    /// A point of the contour.
    case on = 1
    /// One of two control points of a cubic curve.
    case cubic = 2
  }

  /// The points of all contours.
  var points: [Vector] = []
  /// The kinds of the points.
  var kinds: [Kind] = []
  /// The index of the last point of each contour.
  var ends: [Int] = []

  /// The smallest rectangle with all points, or `nil` if there are none.
  var bounds: Bounds? {
    guard var low = points.first else { return nil }
    var high = low
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    return Bounds(low: low, high: high)
  }

  /// Returns the outline with transformed points.
  func transformed(by transform: Transform) -> Outline {
    var result = self
    for index in points.indices { result.points[index] = transform.apply(points[index]) }
    return result
  }

  /// Adds the contours of another outline.
  mutating func append(_ other: Outline) {
    let count = points.count
    points += other.points
    kinds += other.kinds
    ends += other.ends.map { $0 + count }
  }
}

/// A rectangle between two corners.
struct Bounds: Equatable, Sendable {
  /// The upper left corner.
  var low: Vector
  /// The lower right corner.
  var high: Vector

  /// Returns the smallest rectangle that contains this one and `other`.
  func union(_ other: Bounds) -> Bounds {
    Bounds(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
  }

  /// Returns whether a point is inside.
  func contains(_ point: Vector) -> Bool {
    point.x >= low.x && point.y >= low.y && point.x < high.x && point.y < high.y
  }
}

/// An affine transform.
struct Transform: Equatable, Sendable {
  /// The image of (1, 0).
  var x = Vector(1, 0)
  /// The image of (0, 1).
  var y = Vector(0, 1)
  /// The image of (0, 0).
  var origin = Vector(0, 0)

  /// The transform that changes nothing.
  static let identity = Transform()

  /// Returns the image of a point.
  func apply(_ point: Vector) -> Vector { x * point.x + y * point.y + origin }

  /// Returns the transform that applies `first` and then this one.
  func after(_ first: Transform) -> Transform {
    Transform(
      x: x * first.x.x + y * first.x.y,
      y: x * first.y.x + y * first.y.y,
      origin: apply(first.origin)
    )
  }

  /// The transform that reverts this one, or `nil` if this one maps the plane to a line.
  var inverse: Transform? {
    let determinant = x.x * y.y - x.y * y.x
    guard abs(determinant) > 1e-12 else { return nil }
    let (first, second) = (Vector(y.y, -x.y) / determinant, Vector(-y.x, x.x) / determinant)
    return Transform(x: first, y: second, origin: -(first * origin.x + second * origin.y))
  }

  /// Returns a translation.
  static func translation(_ distance: Vector) -> Transform { Transform(origin: distance) }

  /// Returns a scaling around (0, 0).
  static func scale(_ factor: Vector) -> Transform {
    Transform(x: Vector(factor.x, 0), y: Vector(0, factor.y))
  }

  /// Returns `transform` with `center` as its fixed point.
  static func around(_ center: Vector, _ transform: Transform) -> Transform {
    translation(center).after(transform).after(translation(-center))
  }
}
