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
  /// Returns whether a contact that began in a view inside this one belongs to this view from now on.
  func takesOver(_ update: ContactUpdate) -> Bool
}

extension ContactRecognizer {
  func takesOver(_ update: ContactUpdate) -> Bool { false }
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
  /// The areas around this one whose content moves with a contact, outermost area first.
  let enclosing: [ContactRegion]

  /// Returns whether a pixel is in the visible part of the area.
  func contains(_ pixel: Vector) -> Bool {
    frame.contains(toContent.apply(pixel)) && enclosing.allSatisfy { $0.contains(pixel) }
  }
}

/// The delivery of contacts to the views in which they began.
@MainActor
final class ContactRouter {
  /// The areas of the last layout, bottom area first.
  var regions: [ContactRegion] = []
  /// The contact that is being followed; further contacts are ignored meanwhile.
  private var current: Contact?

  /// A contact, its area, and the pixel and the time in nanoseconds at which it began.
  private struct Contact {
    let number: Int
    var region: ContactRegion
    let start: Vector
    let time: UInt64

    /// Returns a change of the contact for an area.
    @MainActor
    func update(_ phase: ContactUpdate.Phase, at pixel: Vector, time: UInt64, in region: ContactRegion)
      -> ContactUpdate
    {
      ContactUpdate(
        phase: phase,
        location: region.toContent.apply(pixel),
        start: region.toContent.apply(start),
        frame: region.frame,
        seconds: Double(time - min(time, self.time)) / 1_000_000_000
      )
    }
  }

  /// Handles a change of a contact.
  ///
  /// - Parameters:
  ///   - phase: The phase of the contact.
  ///   - pixel: The position in pixels of the viewfinder.
  ///   - number: The number of the contact.
  ///   - time: The time in nanoseconds.
  func handle(_ phase: ContactUpdate.Phase, at pixel: Vector, contact number: Int, time: UInt64) {
    if phase == .began {
      guard current == nil, let region = regions.last(where: { $0.contains(pixel) }) else { return }
      current = Contact(number: number, region: region, start: pixel, time: time)
    }
    guard var contact = current, contact.number == number else { return }
    if phase == .moved { takeOver(&contact, at: pixel, time: time) }
    current = phase == .ended || phase == .cancelled ? nil : contact
    deliver(phase, of: contact, at: pixel, time: time)
  }

  /// Passes a moved contact to the innermost enclosing area that takes it over.
  private func takeOver(_ contact: inout Contact, at pixel: Vector, time: UInt64) {
    let update = { [contact] region in contact.update(.moved, at: pixel, time: time, in: region) }
    guard let region = contact.region.enclosing.last(where: { $0.recognizer.takesOver(update($0)) }) else {
      return
    }
    deliver(.cancelled, of: contact, at: pixel, time: time)
    contact.region = region
    deliver(.began, of: contact, at: contact.start, time: time)
  }

  private func deliver(_ phase: ContactUpdate.Phase, of contact: Contact, at pixel: Vector, time: UInt64) {
    let region = contact.region
    // A view that has left the tree receives nothing more.
    guard !region.node.isRemoved else { return }
    region.recognizer.handle(contact.update(phase, at: pixel, time: time, in: region), in: region.node)
  }
}
