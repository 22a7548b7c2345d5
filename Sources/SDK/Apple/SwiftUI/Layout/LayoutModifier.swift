// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// A change of the layout or the appearance of one view.
@MainActor
protocol LayoutEffect {
  /// Returns the size of the changed view; by default that of the content.
  func size(_ proposal: Proposal, of content: Element) -> Vector
  /// Draws the content in the frame of the changed view; by default in the whole frame.
  func place(_ content: Element, in frame: Bounds, _ placement: Placement)
}

extension LayoutEffect {
  func size(_ proposal: Proposal, of content: Element) -> Vector { content.size(proposal) }

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    content.place(in: frame, placement)
  }
}

/// An effect whose changes can be shown gradually.
protocol AnimatedEffect: LayoutEffect, Interpolatable {}

/// A view with an effect.
struct LayoutModifier<Content: View, Effect: LayoutEffect>: BuiltInView, Arranged {
  let content: Content
  let effect: Effect

  func update(_ node: ViewNode) throws { try node.setChild(content) }

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    effect.size(proposal, of: element.onlyContent)
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    effect.place(element.onlyContent, in: frame, placement)
  }
}

/// A view with an effect whose changes can be shown gradually.
struct AnimatedModifier<Content: View, Effect: AnimatedEffect>: BuiltInView, Arranged {
  let content: Content
  let effect: Effect

  func update(_ node: ViewNode) throws {
    node.animate(to: effect)
    try node.setChild(content)
  }

  private func current(_ element: Element) -> Effect { element.node?.animated(effect) ?? effect }

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    current(element).size(proposal, of: element.onlyContent)
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    current(element).place(element.onlyContent, in: frame, placement)
  }
}

extension View {
  /// Returns the view with an effect whose changes can be shown gradually.
  func effect(_ effect: some AnimatedEffect) -> some View { AnimatedModifier(content: self, effect: effect) }

  /// Returns the view with an effect.
  func effect(_ effect: some LayoutEffect) -> some View { LayoutModifier(content: self, effect: effect) }
}
