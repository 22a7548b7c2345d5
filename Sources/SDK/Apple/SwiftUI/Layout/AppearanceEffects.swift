// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LockedCameraCapture

/// A rotation of a view around a point of its frame, which does not change its size.
struct RotationEffect: AnimatedEffect {
  let angle: Angle
  /// The fixed point, as a share of the frame.
  let anchor: Vector

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    let (cosine, sine) = (cos(angle.radians), sin(angle.radians))
    let rotation = Transform(x: Vector(cosine, sine), y: Vector(-sine, cosine))
    content.place(in: frame, placement.transformed(by: rotation, around: frame.point(anchor)))
  }

  func interpolated(to other: RotationEffect, _ share: Double) -> RotationEffect {
    let radians = angle.radians.interpolated(to: other.angle.radians, share)
    return RotationEffect(angle: .radians(radians), anchor: other.anchor)
  }
}

/// A scaling of a view around a point of its frame, which does not change its size in the layout.
struct ScaleEffect: AnimatedEffect {
  let factors: Vector
  /// The fixed point, as a share of the frame.
  let anchor: Vector

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    content.place(in: frame, placement.transformed(by: .scale(factors), around: frame.point(anchor)))
  }

  func interpolated(to other: ScaleEffect, _ share: Double) -> ScaleEffect {
    ScaleEffect(factors: factors.interpolated(to: other.factors, share), anchor: other.anchor)
  }
}

/// A distance of a view from its place in the layout.
struct OffsetEffect: AnimatedEffect {
  let distance: Vector

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    content.place(in: frame, placement.transformed(by: .translation(distance), around: frame.low))
  }

  func interpolated(to other: OffsetEffect, _ share: Double) -> OffsetEffect {
    OffsetEffect(distance: distance.interpolated(to: other.distance, share))
  }
}

/// An opacity.
struct OpacityEffect: AnimatedEffect {
  let opacity: Double

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    var placement = placement
    // The order makes an opacity that is not a number 0.
    placement.opacity *= min(1, max(0, opacity))
    content.place(in: frame, placement)
  }

  func interpolated(to other: OpacityEffect, _ share: Double) -> OpacityEffect {
    OpacityEffect(opacity: opacity.interpolated(to: other.opacity, share))
  }
}

extension Placement {
  /// Returns the placement with a transform around a point.
  func transformed(by transform: Transform, around point: Vector) -> Placement {
    var placement = self
    placement.transform = placement.transform.after(.around(point, transform))
    return placement
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
struct PositionEffect: AnimatedEffect {
  let center: Vector

  func size(_ proposal: Proposal, of content: Element) -> Vector { proposal.filled }

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    let size = content.size(Proposal(frame.size))
    content.place(in: Bounds(at: frame.low + center - size / 2, size), placement)
  }

  func interpolated(to other: PositionEffect, _ share: Double) -> PositionEffect {
    PositionEffect(center: center.interpolated(to: other.center, share))
  }
}

extension Bounds {
  /// The rectangle as a value of Core Graphics.
  var rect: CGRect { CGRect(x: low.x, y: low.y, width: size.x, height: size.y) }

  /// Returns the point at a share of the size.
  func point(_ share: Vector) -> Vector { low + size * share }
}
