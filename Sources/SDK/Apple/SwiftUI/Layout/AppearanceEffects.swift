// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LockedCameraCapture

/// A transform of a view around a point of its frame, which does not change its size.
struct TransformEffect: LayoutEffect {
  let transform: Transform
  /// The fixed point, as a share of the frame.
  let anchor: Vector

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    var placement = placement
    let center = frame.low + frame.size * anchor
    placement.transform = placement.transform.after(.around(center, transform))
    content.place(in: frame, placement)
  }
}

/// An opacity.
struct OpacityEffect: LayoutEffect {
  let opacity: Double

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    var placement = placement
    placement.opacity *= opacity
    content.place(in: frame, placement)
  }
}

/// A clipping outline.
struct ClipEffect<Clip: Shape>: LayoutEffect {
  let shape: Clip

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    var placement = placement
    placement.clips.append(shape.path(in: frame.rect).outline.transformed(by: placement.transform))
    content.place(in: frame, placement)
  }
}

/// A position of the center of a view in the proposed space.
struct PositionEffect: LayoutEffect {
  let center: Vector

  func size(_ proposal: Proposal, of content: Element) -> Vector { proposal.filled }

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    let size = content.size(Proposal(frame.size))
    content.place(in: Bounds(at: frame.low + center - size / 2, size), placement)
  }
}

extension Bounds {
  /// The rectangle as a value of Core Graphics.
  var rect: CGRect { CGRect(x: low.x, y: low.y, width: size.x, height: size.y) }
}
