// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The outline of a two-dimensional shape; SwiftUI's name and members.
public struct Path: Equatable, Sendable {
  private(set) var outline = Outline()
  private var isOpen = false
  /// The indices of the contours that are closed.
  private(set) var closedContours: Set<Int> = []

  /// Creates an empty path.
  public init() {}

  /// Creates a path and passes it to a closure that adds elements.
  public init(_ build: (inout Path) -> Void) { build(&self) }

  /// Creates a path with a rectangle.
  public init(_ rect: CGRect) { addRect(rect) }

  /// Creates a path with the ellipse in a rectangle.
  public init(ellipseIn rect: CGRect) { addEllipse(in: rect) }

  /// Creates a path with a rectangle with round corners.
  public init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
    addRoundedRect(in: rect, cornerSize: CGSize(width: cornerRadius, height: cornerRadius))
  }

  /// Whether the path has no elements.
  public var isEmpty: Bool { outline.points.isEmpty }

  /// The smallest rectangle with all points and control points, or a rectangle of size 0 for an empty path.
  public var boundingRect: CGRect {
    guard let bounds = outline.bounds else { return .zero }
    return CGRect(
      x: bounds.low.x,
      y: bounds.low.y,
      width: bounds.high.x - bounds.low.x,
      height: bounds.high.y - bounds.low.y
    )
  }

  /// Starts a contour at a point.
  public mutating func move(to point: CGPoint) {
    isOpen = true
    outline.points.append(Vector(point))
    outline.kinds.append(.on)
    outline.ends.append(outline.points.count - 1)
  }

  /// Adds a line to the current contour.
  public mutating func addLine(to point: CGPoint) { add([(point, .on)]) }

  /// Adds lines through points, starting a contour at the first one.
  public mutating func addLines(_ points: [CGPoint]) {
    guard let first = points.first else { return }
    move(to: first)
    for point in points.dropFirst() { addLine(to: point) }
  }

  /// Adds a quadratic Bézier curve to the current contour.
  public mutating func addQuadCurve(to point: CGPoint, control: CGPoint) {
    add([(control, .quadratic), (point, .on)])
  }

  /// Adds a cubic Bézier curve to the current contour.
  public mutating func addCurve(to point: CGPoint, control1: CGPoint, control2: CGPoint) {
    add([(control1, .cubic), (control2, .cubic), (point, .on)])
  }

  /// Closes the current contour; the next element starts a contour at the last point.
  public mutating func closeSubpath() {
    if isOpen { closedContours.insert(outline.ends.count - 1) }
    isOpen = false
  }

  /// Adds a rectangle.
  public mutating func addRect(_ rect: CGRect) {
    move(to: rect.origin)
    addLine(to: CGPoint(x: rect.maxX, y: rect.minY))
    addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
    addLine(to: CGPoint(x: rect.minX, y: rect.maxY))
    closeSubpath()
  }

  /// Adds the ellipse in a rectangle.
  public mutating func addEllipse(in rect: CGRect) {
    addRoundedRect(in: rect, cornerSize: CGSize(width: rect.width / 2, height: rect.height / 2))
  }

  /// Adds a rectangle with round corners, which are at most half as large as the rectangle.
  public mutating func addRoundedRect(in rect: CGRect, cornerSize: CGSize) {
    let (width, height) = (min(cornerSize.width, rect.width / 2), min(cornerSize.height, rect.height / 2))
    guard width > 0, height > 0 else { return addRect(rect) }
    let corners: [(CGFloat, CGFloat)] = [(1, -1), (1, 1), (-1, 1), (-1, -1)]
    for (index, (right, down)) in corners.enumerated() {
      let corner = CGPoint(x: right > 0 ? rect.maxX : rect.minX, y: down > 0 ? rect.maxY : rect.minY)
      let vertical = CGPoint(x: corner.x, y: corner.y - down * height)
      let horizontal = CGPoint(x: corner.x - right * width, y: corner.y)
      // Two corners are entered along the horizontal edge.
      let (start, end) = index.isMultiple(of: 2) ? (horizontal, vertical) : (vertical, horizontal)
      if index == 0 { move(to: start) } else { addLine(to: start) }
      addCurve(to: end, control1: Self.control(start, corner), control2: Self.control(end, corner))
    }
    closeSubpath()
  }

  /// Returns the control point with which a cubic curve is closest to a quarter of an ellipse.
  private static func control(_ point: CGPoint, _ corner: CGPoint) -> CGPoint {
    let share: CGFloat = 0.5523
    return CGPoint(x: point.x + (corner.x - point.x) * share, y: point.y + (corner.y - point.y) * share)
  }

  /// Adds an arc of a circle, after a line from the current point to its start; adds nothing if an angle is not a number.
  ///
  /// - Parameters:
  ///   - center: The center of the circle.
  ///   - radius: The radius of the circle.
  ///   - startAngle: The angle of the start; 0 is at the right, and 90 degrees are at the bottom.
  ///   - endAngle: The angle of the end.
  ///   - clockwise: Whether angles decrease along the arc, as in SwiftUI, whose vertical axis is flipped.
  public mutating func addArc(
    center: CGPoint,
    radius: CGFloat,
    startAngle: Angle,
    endAngle: Angle,
    clockwise: Bool
  ) {
    let sweep = Self.sweep(from: startAngle.radians, to: endAngle.radians, clockwise)
    guard sweep.isFinite else { return }
    let count = max(1, Int((abs(sweep) / (.pi / 2)).rounded(.up)))
    let step = sweep / Double(count)
    let handle = 4.0 / 3 * tan(step / 4)
    func point(_ angle: Double, tangent: Double = 0) -> CGPoint {
      CGPoint(
        x: center.x + radius * (cos(angle) - tangent * sin(angle)),
        y: center.y + radius * (sin(angle) + tangent * cos(angle))
      )
    }
    addLine(to: point(startAngle.radians))
    for index in 0..<count {
      let (from, to) = (
        startAngle.radians + Double(index) * step, startAngle.radians + Double(index + 1) * step
      )
      addCurve(to: point(to), control1: point(from, tangent: handle), control2: point(to, tangent: -handle))
    }
  }

  /// Returns the signed angle of an arc: at most one turn.
  private static func sweep(from start: Double, to end: Double, _ clockwise: Bool) -> Double {
    let turn = 2 * Double.pi
    if abs(end - start) >= turn { return clockwise ? -turn : turn }
    let rest = (end - start).truncatingRemainder(dividingBy: turn)
    if clockwise { return rest > 0 ? rest - turn : rest }
    return rest < 0 ? rest + turn : rest
  }

  /// Adds the contours of another path.
  public mutating func addPath(_ path: Path) {
    closedContours.formUnion(path.closedContours.map { $0 + outline.ends.count })
    outline.append(path.outline)
    isOpen = false
  }

  /// Adds points to the current contour; without one, the last point or the first of `points` starts it.
  private mutating func add(_ points: [(CGPoint, Outline.Kind)]) {
    if !isOpen, let first = points.last?.0 {
      let last = outline.points.last
      move(to: last.map { CGPoint(x: $0.x, y: $0.y) } ?? first)
      if last == nil, points.count == 1 { return }
    }
    for (point, kind) in points {
      outline.points.append(Vector(point))
      outline.kinds.append(kind)
    }
    outline.ends[outline.ends.count - 1] = outline.points.count - 1
  }

  /// Returns the path with another outline of the same structure.
  func replacing(_ outline: Outline) -> Path {
    var path = self
    path.outline = outline
    return path
  }
}

extension SIMD2<Double> {
  /// Creates a vector from a point.
  init(_ point: CGPoint) { self.init(point.x, point.y) }

  /// Creates a vector from a size.
  init(_ size: CGSize) { self.init(size.width, size.height) }
}
