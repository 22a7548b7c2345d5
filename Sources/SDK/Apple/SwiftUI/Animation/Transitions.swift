// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The appearance of a view before it enters the tree and after it leaves the tree; SwiftUI's name and members.
public struct AnyTransition: Sendable {
  let insertion: TransitionState
  let removal: TransitionState

  private init(_ state: TransitionState) { (insertion, removal) = (state, state) }

  private init(_ insertion: TransitionState, _ removal: TransitionState) {
    (self.insertion, self.removal) = (insertion, removal)
  }

  /// No change.
  public static let identity = AnyTransition(TransitionState())
  /// A change of the opacity.
  public static let opacity = AnyTransition(TransitionState(opacity: 0))
  /// A change of the size.
  public static let scale = scale(scale: 0)
  /// A movement from the left and to the right.
  public static let slide = asymmetric(insertion: move(edge: .leading), removal: move(edge: .trailing))

  /// Returns a change of the size by a factor around a point of the frame.
  public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition {
    AnyTransition(TransitionState(scale: scale, anchor: anchor.vector))
  }

  /// Returns a movement by the size of the view, from a side or to it.
  public static func move(edge: Edge) -> AnyTransition {
    AnyTransition(TransitionState(distance: edge.direction))
  }

  /// Returns a movement from a side, and to the other side, with a change of the opacity.
  public static func push(from edge: Edge) -> AnyTransition {
    let state = TransitionState(opacity: 0, distance: edge.direction)
    return AnyTransition(state, TransitionState(opacity: 0, distance: -edge.direction))
  }

  /// Returns different changes for the start and the end.
  public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition {
    AnyTransition(insertion.insertion, removal.removal)
  }

  /// Returns both changes.
  public func combined(with other: AnyTransition) -> AnyTransition {
    AnyTransition(insertion.combined(with: other.insertion), removal.combined(with: other.removal))
  }
}

extension Edge {
  /// The direction of the side.
  fileprivate var direction: Vector {
    switch self {
    case .top: Vector(0, -1)
    case .leading: Vector(-1, 0)
    case .bottom: Vector(0, 1)
    case .trailing: Vector(1, 0)
    }
  }
}

/// A state of a view that enters or leaves the tree.
struct TransitionState: Interpolatable, Sendable {
  var opacity = 1.0
  var scale = 1.0
  /// The fixed point of the scaling, as a share of the frame.
  var anchor = Vector(0.5, 0.5)
  /// The distance from the place in the layout, in sizes of the frame.
  var distance = Vector(0, 0)

  func interpolated(to other: TransitionState, _ share: Double) -> TransitionState {
    TransitionState(
      opacity: opacity.interpolated(to: other.opacity, share),
      scale: scale.interpolated(to: other.scale, share),
      // The state without a change has no fixed point of its own.
      anchor: scale == 1 ? other.anchor : anchor,
      distance: distance.interpolated(to: other.distance, share)
    )
  }

  /// Returns the state with both changes.
  nonisolated func combined(with other: TransitionState) -> TransitionState {
    TransitionState(
      opacity: opacity * other.opacity,
      scale: scale * other.scale,
      anchor: scale == 1 ? other.anchor : anchor,
      distance: distance + other.distance
    )
  }

  /// Returns the placement of a view with a frame in this state.
  @MainActor
  func apply(to placement: Placement, _ frame: Bounds) -> Placement {
    var placement =
      placement
      .transformed(by: .translation(distance * frame.size), around: frame.low)
      .transformed(by: .scale(Vector(repeating: max(0, scale))), around: frame.point(anchor))
    placement.opacity *= min(1, max(0, opacity))
    return placement
  }
}
