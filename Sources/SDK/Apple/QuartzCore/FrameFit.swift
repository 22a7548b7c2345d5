// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The place of a camera's frames in a rectangle: their gravity, rotation and mirroring.
package struct FrameFit: Equatable, Sendable {
  /// The way in which frames fill the rectangle.
  package enum Gravity: Sendable {
    /// The whole frame is visible; its shape is kept.
    case aspect
    /// The rectangle is filled; the shape of the frame is kept.
    case aspectFill
    /// The rectangle is filled; the frame is stretched.
    case stretch
  }

  /// The rectangle of the whole frame, which may be larger than the rectangle that it fills.
  package let content: CGRect
  /// The number of clockwise quarter turns, from 0 to 3.
  private let quarterTurns: Int
  /// Whether the frames are mirrored horizontally, after the rotation.
  private let isMirrored: Bool

  /// Creates the place of frames with a size, or `nil` if a length is not positive.
  package init?(
    frame: CGSize,
    in bounds: CGRect,
    _ gravity: Gravity,
    quarterTurns: Int = 0,
    isMirrored: Bool = false
  ) {
    guard min(frame.width, frame.height, bounds.width, bounds.height) > 0 else { return nil }
    let isUpright = quarterTurns.isMultiple(of: 2)
    let (width, height) = isUpright ? (frame.width, frame.height) : (frame.height, frame.width)
    let scales = (bounds.width / width, bounds.height / height)
    let (across, down) =
      switch gravity {
      case .aspect: (min(scales.0, scales.1), min(scales.0, scales.1))
      case .aspectFill: (max(scales.0, scales.1), max(scales.0, scales.1))
      case .stretch: scales
      }
    let size = CGSize(width: width * across, height: height * down)
    let corner = CGPoint(x: bounds.midX - size.width / 2, y: bounds.midY - size.height / 2)
    content = CGRect(origin: corner, size: size)
    (self.quarterTurns, self.isMirrored) = (quarterTurns, isMirrored)
  }

  /// Returns the point of the frame that is shown at a point of the rectangle: from (0, 0) at the upper left corner of the
  /// frame as the camera delivers it to (1, 1) at the lower right corner.
  package func framePoint(at point: CGPoint) -> CGPoint {
    var x = (point.x - content.minX) / content.width
    var y = (point.y - content.minY) / content.height
    if isMirrored { x = 1 - x }
    for _ in 0..<quarterTurns { (x, y) = (y, 1 - x) }
    return CGPoint(x: x, y: y)
  }

  /// Returns the point of the rectangle at which a point of the frame is shown; the reverse of ``framePoint(at:)``.
  package func point(ofFramePoint point: CGPoint) -> CGPoint {
    var (x, y) = (point.x, point.y)
    for _ in 0..<quarterTurns { (x, y) = (1 - y, x) }
    if isMirrored { x = 1 - x }
    return CGPoint(x: content.minX + x * content.width, y: content.minY + y * content.height)
  }
}
