// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// A change of a contact in a view, in points of the view.
struct ContactUpdate {
  /// The phase of a contact.
  enum Phase {
    case began
    case moved
    case ended
    case cancelled

    init(_ phase: PointerEvent.Phase) {
      self =
        switch phase {
        case .began: .began
        case .moved: .moved
        case .ended: .ended
        case .cancelled: .cancelled
        }
    }
  }

  let phase: Phase
  /// The position of the contact.
  let location: Vector
  /// The position at which the contact began.
  let start: Vector
  /// The frame of the view.
  let frame: Bounds
  /// The seconds since the contact began.
  let seconds: Double

  /// The distance from the start.
  var translation: Vector { location - start }
  /// Whether the contact is in the frame, with a margin for the width of a finger.
  var isInside: Bool {
    Bounds(low: frame.low - Vector(repeating: 20), high: frame.high + Vector(repeating: 20)).contains(
      location
    )
  }
}

/// The reaction of a view to contacts.
@MainActor
protocol ContactRecognizer {
  /// Handles a change of a contact that began in the view.
  func handle(_ update: ContactUpdate, in node: ViewNode)
}

/// An area of the viewfinder that reacts to contacts.
@MainActor
struct ContactRegion {
  /// The frame of the view in its points.
  let frame: Bounds
  /// From pixels to points of the view.
  let toContent: Transform
  /// The view.
  let node: ViewNode
  let recognizer: any ContactRecognizer
}

/// The delivery of contacts to the views in which they began.
@MainActor
final class ContactRouter {
  /// The areas of the last layout, bottom area first.
  var regions: [ContactRegion] = []
  /// The contact that is being followed; further contacts are ignored meanwhile.
  private var current: (contact: Int, region: ContactRegion, start: Vector, time: UInt64)?

  /// Handles a change of a contact.
  ///
  /// - Parameters:
  ///   - phase: The phase of the contact.
  ///   - pixel: The position in pixels of the viewfinder.
  ///   - contact: The number of the contact.
  ///   - time: The time in nanoseconds.
  func handle(_ phase: ContactUpdate.Phase, at pixel: Vector, contact: Int, time: UInt64) {
    if phase == .began {
      guard current == nil, let region = regions.last(where: { $0.frame.contains($0.toContent.apply(pixel)) })
      else {
        return
      }
      current = (contact, region, region.toContent.apply(pixel), time)
    }
    guard let (number, region, start, began) = current, number == contact else { return }
    if phase == .ended || phase == .cancelled { current = nil }
    // A view that has left the tree receives nothing more.
    guard !region.node.isRemoved else { return }
    let update = ContactUpdate(
      phase: phase,
      location: region.toContent.apply(pixel),
      start: start,
      frame: region.frame,
      seconds: Double(time - min(time, began)) / 1_000_000_000
    )
    region.recognizer.handle(update, in: region.node)
  }
}
