// SPDX-License-Identifier: Apache-2.0

/// One filled area of the interface, in pixels of the viewfinder.
struct DrawItem: Equatable, Sendable {
  /// The filled area.
  enum Area: Equatable, Sendable {
    /// An outline.
    case outline(Outline)
    /// A line of text, whose outline is created when it is drawn.
    case text(TextLine, Transform)
    /// An image in a unit square.
    case image(Bitmap, Transform)
  }

  /// The area.
  let area: Area
  /// The colors of the area.
  let paint: Paint
  /// The smallest rectangle with the unclipped area, to which gradients refer.
  let frame: Bounds
  /// The opacity, from 0 to 1.
  let opacity: Double
  /// The outlines that clip the area.
  let clips: [Outline]
  /// The distance in pixels over which the edges of the area are blurred to each side.
  var blur = 0

  /// The pixels that the item can change, or `nil` if there are none.
  var bounds: Bounds? {
    var bounds = frame
    for clip in clips {
      guard let edge = clip.bounds else { return nil }
      bounds = Bounds(low: pointwiseMax(bounds.low, edge.low), high: pointwiseMin(bounds.high, edge.high))
    }
    return bounds.low.x < bounds.high.x && bounds.low.y < bounds.high.y ? bounds : nil
  }
}
