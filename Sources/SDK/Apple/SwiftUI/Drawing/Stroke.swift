// SPDX-License-Identifier: Apache-2.0

internal import CFreeType
public import Foundation

/// The properties of a stroke; SwiftUI's name and members.
public struct StrokeStyle: Hashable, Sendable {
  /// The shape of the ends of a line.
  public enum LineCap: Hashable, Sendable {
    /// The line ends at its last point.
    case butt
    /// A half circle.
    case round
    /// A half square.
    case square
  }

  /// The shape of the corners of a line.
  public enum LineJoin: Hashable, Sendable {
    /// A point.
    case miter
    /// A part of a circle.
    case round
    /// A straight edge.
    case bevel
  }

  /// The width of the line in points.
  public var lineWidth: CGFloat
  /// The shape of the ends.
  public var lineCap: LineCap
  /// The shape of the corners.
  public var lineJoin: LineJoin

  /// Creates a style.
  public init(lineWidth: CGFloat = 1, lineCap: LineCap = .butt, lineJoin: LineJoin = .miter) {
    (self.lineWidth, self.lineCap, self.lineJoin) = (lineWidth, lineCap, lineJoin)
  }
}

extension Path {
  /// Returns the outline of the stroked path.
  @MainActor
  func stroked(_ style: StrokeStyle) -> Outline {
    var result = Outline()
    var start = 0
    for (index, end) in outline.ends.enumerated() {
      let contour = Outline(
        points: Array(outline.points[start...end]),
        kinds: Array(outline.kinds[start...end]),
        ends: [end - start]
      )
      result.append(contour.stroked(style, isClosed: closedContours.contains(index)))
      start = end + 1
    }
    return result
  }

  /// Returns the part of the path between two shares of its contours' points, each contour counted alike.
  ///
  /// Curves are cut after they are divided into lines.
  func trimmed(from start: Double, to end: Double) -> Path {
    var result = Path()
    var first = 0
    for (index, last) in outline.ends.enumerated() {
      var line = Polyline(outline, first...last)
      if closedContours.contains(index), let point = line.points.first { line.points.append(point) }
      let points = line.part(from: start, to: end)
      if points.count > 1 { result.addLines(points.map { CGPoint(x: $0.x, y: $0.y) }) }
      first = last + 1
    }
    return result
  }
}

extension Outline {
  /// Returns the border of a line along this outline, which has one contour.
  @MainActor
  fileprivate func stroked(_ style: StrokeStyle, isClosed: Bool) -> Outline {
    let result = withFreeType { (outline: inout FT_Outline) -> Outline in
      var stroker: FT_Stroker?
      guard FT_Stroker_New(FreeType.library, &stroker) == 0, let stroker else { return Outline() }
      defer { FT_Stroker_Done(stroker) }
      let cap =
        style.lineCap == .round
        ? FT_STROKER_LINECAP_ROUND
        : style.lineCap == .square ? FT_STROKER_LINECAP_SQUARE : FT_STROKER_LINECAP_BUTT
      let join =
        style.lineJoin == .round
        ? FT_STROKER_LINEJOIN_ROUND
        : style.lineJoin == .bevel ? FT_STROKER_LINEJOIN_BEVEL : FT_STROKER_LINEJOIN_MITER_FIXED
      // Half of the width in units of 1/64. The maximum of a width is that of a coordinate, and NaN becomes 0.
      FT_Stroker_Set(
        stroker,
        FT_Fixed(min(max(0, style.lineWidth), 16_000) * 32),
        cap,
        join,
        FT_Fixed(4 << 16)
      )
      guard FT_Stroker_ParseOutline(stroker, &outline, isClosed ? 0 : 1) == 0 else { return Outline() }
      return Self.exported(stroker)
    }
    return result ?? Outline()
  }

  @MainActor
  private static func exported(_ stroker: FT_Stroker) -> Outline {
    var (points, contours): (FT_UInt, FT_UInt) = (0, 0)
    var border = FT_Outline()
    guard FT_Stroker_GetCounts(stroker, &points, &contours) == 0,
      FT_Outline_New(FreeType.library, points, FT_Int(contours), &border) == 0
    else { return Outline() }
    defer { FT_Outline_Done(FreeType.library, &border) }
    (border.n_points, border.n_contours) = (0, 0)
    FT_Stroker_Export(stroker, &border)
    return Outline(border, scale: Vector(1.0 / 64, 1.0 / 64))
  }
}

/// A contour as a sequence of lines.
struct Polyline {
  var points: [Vector] = []

  /// Divides each curve of a contour into 16 lines.
  init(_ outline: Outline, _ range: ClosedRange<Int>) {
    var controls: [Vector] = []
    for index in range {
      let point = outline.points[index]
      guard outline.kinds[index] == .on else {
        controls.append(point)
        continue
      }
      if let start = points.last, !controls.isEmpty {
        let curve = [start] + controls + [point]
        for step in 1...16 { points.append(Self.point(of: curve, at: Double(step) / 16)) }
      } else {
        points.append(point)
      }
      controls = []
    }
  }

  /// Returns a point of a Bézier curve (de Casteljau).
  private static func point(of curve: [Vector], at share: Double) -> Vector {
    var points = curve
    while points.count > 1 {
      points = zip(points, points.dropFirst()).map { $0 + ($1 - $0) * share }
    }
    return points[0]
  }

  /// Returns the part between two shares of the length.
  func part(from start: Double, to end: Double) -> [Vector] {
    let lengths = zip(points, points.dropFirst()).map { (($1 - $0) * ($1 - $0)).sum().squareRoot() }
    let total = lengths.reduce(0, +)
    let (low, high) = (start * total, end * total)
    guard total > 0, low < high else { return [] }
    var (result, position): ([Vector], Double) = ([], 0)
    for (index, length) in lengths.enumerated() where length > 0 {
      let (from, to) = (max(low, position), min(high, position + length))
      if from < to {
        let (first, step) = (points[index], (points[index + 1] - points[index]) / length)
        if result.isEmpty { result.append(first + step * (from - position)) }
        result.append(first + step * (to - position))
      }
      position += length
    }
    return result
  }
}
