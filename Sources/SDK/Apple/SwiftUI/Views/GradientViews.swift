// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A style that is a view of its own, which fills the available space.
@MainActor
private protocol StyleView: BuiltInView, Arranged, PaintedStyle {}

extension StyleView {
  package func update(_ node: ViewNode) throws { Compositor.attach(to: node.graph) }

  func size(_ proposal: Proposal, of element: Element) -> Vector { proposal.filled }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    placement.fill(.rectangle(frame), paint)
  }
}

extension LinearGradient: View, StyleView {}
extension AngularGradient: View, StyleView {}
extension RadialGradient: View, StyleView {}
