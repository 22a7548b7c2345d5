// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LockedCameraCapture

/// Distances around a view.
struct PaddingEffect: AnimatedEffect {
  /// The distances at the upper left corner.
  let before: Vector
  /// The distances at the lower right corner.
  let after: Vector

  func size(_ proposal: Proposal, of content: Element) -> Vector {
    content.size(proposal.inset(by: before + after)) + before + after
  }

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    content.place(in: Bounds(low: frame.low + before, high: frame.high - after), placement)
  }

  func interpolated(to other: PaddingEffect, _ share: Double) -> PaddingEffect {
    PaddingEffect(
      before: before.interpolated(to: other.before, share),
      after: after.interpolated(to: other.after, share)
    )
  }
}

/// Limits of the size of a view.
struct FrameEffect: AnimatedEffect {
  /// The limits of one length, in points.
  struct Limits: Equatable {
    private let least: Double?
    private let most: Double?

    /// Creates limits; `nil` sets no limit.
    init(least: CGFloat?, most: CGFloat?) {
      self.least = least.map(Double.init)
      self.most = most.map(Double.init)
    }

    /// Returns the proposed length within the limits.
    func proposal(_ length: Double?) -> Double? {
      guard let length else { return least == most ? least : nil }
      return min(max(length, least ?? -.infinity), most ?? .infinity)
    }

    /// Returns the proposed length, or that of the content, within the limits; the content is the limit that is not set.
    func length(_ proposed: Double?, _ content: Double) -> Double {
      max(least ?? content, min(proposed ?? content, most ?? content))
    }

    /// Returns limits at a share of the way to others; a limit that only one of them sets changes at once.
    @MainActor
    func interpolated(to other: Limits, _ share: Double) -> Limits {
      func between(_ first: Double?, _ second: Double?) -> CGFloat? {
        guard let first, let second, first.isFinite, second.isFinite else {
          return second.map { CGFloat($0) }
        }
        // The way of a spring can lead below 0.
        return max(0, first.interpolated(to: second, share))
      }
      return Limits(least: between(least, other.least), most: between(most, other.most))
    }
  }

  let width: Limits
  let height: Limits
  let alignment: Alignment

  func size(_ proposal: Proposal, of content: Element) -> Vector {
    let inner = content.size(
      Proposal(width: width.proposal(proposal.width), height: height.proposal(proposal.height))
    )
    return Vector(width.length(proposal.width, inner.x), height.length(proposal.height, inner.y))
  }

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    content.place(in: frame, aligned: alignment, placement)
  }

  func interpolated(to other: FrameEffect, _ share: Double) -> FrameEffect {
    FrameEffect(
      width: width.interpolated(to: other.width, share),
      height: height.interpolated(to: other.height, share),
      alignment: other.alignment
    )
  }
}

/// The ideal size in some directions, whatever is proposed.
struct FixedSizeEffect: LayoutEffect {
  let axes: Set<Axis>

  func size(_ proposal: Proposal, of content: Element) -> Vector {
    content.size(
      Proposal(
        width: axes.contains(.horizontal) ? nil : proposal.width,
        height: axes.contains(.vertical) ? nil : proposal.height
      )
    )
  }
}

/// A ratio of the width to the height.
struct AspectRatioEffect: LayoutEffect {
  /// The ratio, or `nil` for that of the ideal size.
  let ratio: Double?
  /// Whether the content fills the proposed size, and may exceed it in one direction.
  let fills: Bool

  func size(_ proposal: Proposal, of content: Element) -> Vector {
    let ideal = content.size(.ideal)
    let ratio = ratio ?? (ideal.y > 0 ? ideal.x / ideal.y : 1)
    let available = Vector(proposal.width ?? .infinity, proposal.height ?? .infinity)
    guard available.x.isFinite || available.y.isFinite else { return ideal }
    let isLimitedByWidth =
      (available.x / ratio <= available.y) != (fills && available.x.isFinite && available.y.isFinite)
    let size =
      isLimitedByWidth ? Vector(available.x, available.x / ratio) : Vector(available.y * ratio, available.y)
    return content.size(Proposal(size))
  }
}
