// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A rectangle with different corners; SwiftUI's name.
public struct UnevenRoundedRectangle: Shape {
  /// The radii of the corners in the order of a path: at the upper left, and then clockwise.
  private let radii: [CGFloat]

  /// Creates a rectangle with corners of radii in points. The style of the corners makes no difference.
  public init(
    topLeadingRadius: CGFloat = 0,
    bottomLeadingRadius: CGFloat = 0,
    bottomTrailingRadius: CGFloat = 0,
    topTrailingRadius: CGFloat = 0,
    style: RoundedCornerStyle = .continuous
  ) {
    radii = [topLeadingRadius, topTrailingRadius, bottomTrailingRadius, bottomLeadingRadius]
  }

  /// Returns the rectangle with its corners, which are at most half as large as the rectangle.
  public func path(in rect: CGRect) -> Path {
    let limit = max(0, min(rect.width, rect.height) / 2)
    let radii = radii.map { min(max(0, $0), limit) }
    let centers = [
      CGPoint(x: rect.minX + radii[0], y: rect.minY + radii[0]),
      CGPoint(x: rect.maxX - radii[1], y: rect.minY + radii[1]),
      CGPoint(x: rect.maxX - radii[2], y: rect.maxY - radii[2]),
      CGPoint(x: rect.minX + radii[3], y: rect.maxY - radii[3]),
    ]
    var path = Path()
    path.move(to: CGPoint(x: rect.minX, y: centers[0].y))
    for (index, center) in centers.enumerated() {
      let start = Angle.degrees(Double(180 + 90 * index))
      path.addArc(
        center: center,
        radius: radii[index],
        startAngle: start,
        endAngle: start + .degrees(90),
        clockwise: false
      )
    }
    path.closeSubpath()
    return path
  }
}
