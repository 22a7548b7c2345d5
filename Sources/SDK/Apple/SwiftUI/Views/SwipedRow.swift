// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import LockedCameraCapture

/// A view that the user deletes by a movement to the left.
struct SwipedRow<Content: View>: BuiltInView, Arranged {
  /// The movement of a contact.
  @MainActor
  private final class Movement {
    /// The distance from the place in the layout; at most 0.
    var distance = 0.0
  }

  let content: Content
  let delete: @MainActor () -> Void

  func update(_ node: ViewNode) throws {
    node.storage = node.storage ?? Movement()
    try node.setChild(content)
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    let size = element.onlyContent.size(proposal)
    return Vector(max(proposal.width ?? 0, size.x), size.y)
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    guard let node = element.node, let movement = node.storage as? Movement else { return }
    var inner = placement
    inner.addScrollRegion(frame, of: node, self)
    let distance = Vector(movement.distance, 0)
    let moved = Bounds(at: frame.low + distance, frame.size)
    element.onlyContent.place(in: moved, aligned: .leading, inner)
  }
}

extension SwipedRow: ContactRecognizer {
  func takesOver(_ update: ContactUpdate) -> Bool {
    update.translation.x <= -20 && abs(update.translation.y) < -update.translation.x
  }

  func handle(_ update: ContactUpdate, in node: ViewNode) {
    guard let movement = node.storage as? Movement else { return }
    movement.distance = min(0, update.translation.x)
    if update.phase == .ended || update.phase == .cancelled { movement.distance = 0 }
    node.graph.needsLayers = true
    if update.phase == .ended, update.translation.x <= -update.frame.size.x / 2 { delete() }
  }
}

extension RangeReplaceableCollection where Self: MutableCollection {
  /// Removes the elements at some offsets from the start; SwiftUI's method.
  public mutating func remove(atOffsets offsets: IndexSet) {
    var offset = 0
    removeAll { _ in
      defer { offset += 1 }
      return offsets.contains(offset)
    }
  }
}
