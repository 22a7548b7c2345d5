// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The frames of views that share an identity, in the current layout and in the one before it.
@MainActor
final class MatchedFrames {
  /// The identity of a group of views.
  struct Key: Hashable {
    let id: AnyHashable
    let namespace: Namespace.ID
  }

  /// The frames in pixels that the current layout has determined.
  private var frames: [Key: Bounds] = [:]
  /// The frames of the previous layout.
  private var previous: [Key: Bounds] = [:]

  /// Starts a layout. Frames of views that the previous layout did not contain are forgotten.
  func startLayout() { (previous, frames) = (frames, [:]) }

  /// Returns the last frame of a view with an identity, or `nil` if there is none, and replaces it.
  func replaceFrame(of key: Key, with frame: Bounds) -> Bounds? {
    frames.updateValue(frame, forKey: key) ?? previous[key]
  }
}

/// The place of a view relative to its place in the layout.
private struct MatchedShift: Interpolatable {
  /// The distance of the upper left corner in pixels.
  var distance = Vector(0, 0)
  /// The factors of the size.
  var factors = Vector(1, 1)

  func interpolated(to other: MatchedShift, _ share: Double) -> MatchedShift {
    MatchedShift(
      distance: distance.interpolated(to: other.distance, share),
      factors: factors.interpolated(to: other.factors, share)
    )
  }
}

/// A view that starts its course at the last frame of the view with the same identity before it.
private struct MatchedView<Content: View>: BuiltInView, Arranged {
  /// The course of a view that enters the tree with an animation.
  @MainActor
  private final class Entry {
    unowned let compositor: Compositor
    /// The animation, until the first layout starts the course.
    var animation: Animation?
    var shift: AnimatedValue<MatchedShift>?

    init(_ compositor: Compositor) { (self.compositor, animation) = (compositor, .current) }
  }

  let content: Content
  let key: MatchedFrames.Key

  func update(_ node: ViewNode) throws {
    Compositor.attach(to: node.graph)
    if node.storage == nil, let compositor = node.graph.compositor as? Compositor {
      node.storage = Entry(compositor)
    }
    try node.setChild(content)
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { element.onlyContent.size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    let corner = placement.transform.apply(frame.low)
    let target = Bounds(low: corner, high: placement.transform.apply(frame.high))
    var placement = placement
    if let entry = element.node?.storage as? Entry {
      start(entry, from: entry.compositor.matchedFrames.replaceFrame(of: key, with: target), to: target)
      if let shift = entry.shift?.current {
        let scaling = Transform(x: Vector(shift.factors.x, 0), y: Vector(0, shift.factors.y))
        placement.transform = Transform.translation(shift.distance)
          .after(.around(corner, scaling)).after(placement.transform)
      }
    }
    element.onlyContent.place(in: frame, placement)
  }

  /// Starts the course in the first layout of the view.
  private func start(_ entry: Entry, from last: Bounds?, to target: Bounds) {
    guard let animation = entry.animation else { return }
    entry.animation = nil
    guard let last, target.size.x > 0, target.size.y > 0 else { return }
    let start = MatchedShift(distance: last.low - target.low, factors: last.size / target.size)
    let shift = AnimatedValue(start, entry.compositor.clock)
    shift.change(to: MatchedShift(), animation)
    entry.shift = shift
  }
}

extension View {
  /// Lets the view start at the frame of the view with the same identity that it replaces, when an animated change adds it.
  ///
  /// - Parameters:
  ///   - id: The identity in the namespace.
  ///   - namespace: The namespace, from a `Namespace` property.
  /// - Returns: The view with the movement.
  public func matchedGeometryEffect<ID: Hashable>(id: ID, in namespace: Namespace.ID) -> some View {
    MatchedView(content: self, key: MatchedFrames.Key(id: AnyHashable(id), namespace: namespace))
  }
}
