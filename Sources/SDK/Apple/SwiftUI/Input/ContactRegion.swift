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
  /// The distance of two contacts in multiples of the distance at which the second began, or `nil` for one contact.
  var magnification: Double?
  /// The value with which the gesture was recognized earlier in the contact, or `nil` if it has not been recognized.
  var recognized: Any?

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
  /// Whether the view reacts to two contacts at the same time.
  var followsPinches: Bool { get }
  /// Whether the contact also belongs to the view below.
  var isSimultaneous: Bool { get }

  /// Handles a change of a contact that began in the view.
  func handle(_ update: ContactUpdate, in node: ViewNode)
  /// Returns whether a contact that began in a view inside this one belongs to this view from now on.
  func takesOver(_ update: ContactUpdate) -> Bool
}

extension ContactRecognizer {
  var followsPinches: Bool { false }
  var isSimultaneous: Bool { false }

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
