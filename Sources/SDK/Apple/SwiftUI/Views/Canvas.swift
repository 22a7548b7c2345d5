// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// A view that fills the proposed space with drawings; SwiftUI's name.
///
/// The drawings are created in each layout, and again when a value changes that the closure has read.
public struct Canvas: View, BuiltInView, Arranged {
  private let renderer: @MainActor (inout GraphicsContext, CGSize) -> Void

  /// Creates a view.
  ///
  /// - Parameter renderer: Draws into the context of the view, which has a size in points.
  public init(renderer: @escaping @MainActor (inout GraphicsContext, CGSize) -> Void) {
    self.renderer = renderer
  }

  package func update(_ node: ViewNode) throws {
    Compositor.attach(to: node.graph)
    node.graph.needsLayers = true
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { proposal.filled }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    var context = GraphicsContext(placement, frame, element.environment?.style ?? ViewStyle())
    let size = CGSize(width: frame.size.x, height: frame.size.y)
    guard let node = element.node else { return }
    node.tracking { renderer(&context, size) }
  }
}
