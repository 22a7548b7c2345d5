// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The course of a view that enters the tree, and leaves the tree.
@MainActor
final class Transition {
  private let removal: TransitionState
  private unowned let compositor: Compositor
  private let state: AnimatedValue<TransitionState>
  /// The content and its place in the last layout.
  private var last: (content: Element, frame: Bounds, placement: Placement)?

  /// Starts the course of a view that enters the tree; without an animation, the view is shown at once.
  init(_ transition: AnyTransition, _ compositor: Compositor) {
    self.compositor = compositor
    removal = transition.removal
    let start = Animation.current == nil ? TransitionState() : transition.insertion
    state = AnimatedValue(start, compositor.clock)
    state.change(to: TransitionState())
  }

  /// Draws the view in a frame.
  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    var emptied = placement
    // The scene refers to the view, which must not keep the scene.
    emptied.scene = Scene()
    emptied.isEnabled = false
    last = (content, frame, emptied)
    content.place(in: frame, state.current.apply(to: placement, frame))
  }

  /// Starts the course of a view that leaves the tree; without an animation, the view disappears at once.
  func leave() {
    guard Animation.current != nil, last != nil else { return }
    state.change(to: removal)
    compositor.leaving.append(self)
  }

  /// Draws a view that has left the tree into a scene, and returns whether its course continues.
  func placeLeaving(in scene: Scene) -> Bool {
    guard state.isMoving, var last else { return false }
    last.placement.scene = scene
    last.content.place(in: last.frame, state.current.apply(to: last.placement, last.frame))
    return true
  }
}

/// A view that enters and leaves the tree gradually.
private struct TransitionView<Content: View>: BuiltInView, Arranged {
  let content: Content
  let transition: AnyTransition

  func update(_ node: ViewNode) throws {
    Compositor.attach(to: node.graph)
    if node.storage == nil, let compositor = node.graph.compositor as? Compositor {
      let state = Transition(transition, compositor)
      node.storage = state
      node.detachment = { state.leave() }
    }
    try node.setChild(content)
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { element.onlyContent.size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    (element.node?.storage as? Transition)?.place(element.onlyContent, in: frame, placement)
  }
}

extension View {
  /// Shows the view gradually when an animated change adds it to the tree, and hides it gradually after its removal.
  ///
  /// A removed view is drawn above all other views, and does not react to contacts.
  public func transition(_ transition: AnyTransition) -> some View {
    TransitionView(content: self, transition: transition)
  }
}
