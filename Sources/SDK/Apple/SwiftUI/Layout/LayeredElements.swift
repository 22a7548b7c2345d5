// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// A layout that draws its content in the same place.
struct LayeredElements: Arranged {
  let alignment: Alignment

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    element.content.reduce(Vector(0, 0)) { pointwiseMax($0, $1.size(proposal)) }
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    for content in element.content { content.place(in: frame, aligned: alignment, placement) }
  }
}

extension ZStack: Arranged {
  func size(_ proposal: Proposal, of element: Element) -> Vector {
    LayeredElements(alignment: alignment).size(proposal, of: element)
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    LayeredElements(alignment: alignment).place(element, in: frame, placement)
  }
}

extension OverlaidView: Arranged {
  func size(_ proposal: Proposal, of element: Element) -> Vector { element.parts[0].size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    element.parts[0].place(in: frame, placement)
    element.parts[1].place(in: frame, aligned: alignment, placement)
  }
}

extension Proposal {
  /// The proposed size, and 10 points for an ideal length, as SwiftUI's shapes.
  var filled: Vector { Vector(width ?? 10, height ?? 10) }
}

extension Viewfinder: Arranged {
  func size(_ proposal: Proposal, of element: Element) -> Vector { proposal.filled }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    // The frames of the camera fill the viewfinder and hide everything below them.
    (placement.scene.items, placement.scene.frames) = ([], [])
    placement.scene.hasViewfinder = true
  }
}

extension Overlay: Arranged {
  func size(_ proposal: Proposal, of element: Element) -> Vector { proposal.filled }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    if let layer = element.node?.layer { placement.scene.overlays.append(layer) }
  }
}
