// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Two contacts that move apart or together; SwiftUI's name. A viewfinder with a pointer has one contact, and no such gesture.
public struct MagnifyGesture: Gesture {
  /// The distance of the contacts.
  public struct Value: Hashable, Sendable {
    /// The distance in multiples of the distance at the start.
    public let magnification: CGFloat
    /// The center of the contacts at the start, in points of the view.
    public let startLocation: CGPoint
  }

  private let minimumScaleDelta: CGFloat

  /// Creates a gesture that is recognized after a change of the distance by a share of the distance at the start.
  public init(minimumScaleDelta: CGFloat = 0.01) { self.minimumScaleDelta = minimumScaleDelta }

  /// Pairs of contacts whose distance has changed by the minimum.
  public var recognition: GestureRecognition<Value> {
    let minimum = minimumScaleDelta
    return GestureRecognition(
      recognize: { update in
        guard let magnification = update.magnification, update.phase != .cancelled else { return nil }
        let value = Value(
          magnification: magnification,
          startLocation: CGPoint(update.start - update.frame.low)
        )
        if update.phase == .ended { return .ended(value) }
        return abs(magnification - 1) >= minimum ? .changed(value) : nil
      },
      followsPinches: true
    )
  }
}

/// Two contacts that move apart or together, with the distance as the value; SwiftUI's name before ``MagnifyGesture``.
public struct MagnificationGesture: Gesture {
  private let gesture: MagnifyGesture

  /// Creates a gesture that is recognized after a change of the distance by a share of the distance at the start.
  public init(minimumScaleDelta: CGFloat = 0.01) {
    gesture = MagnifyGesture(minimumScaleDelta: minimumScaleDelta)
  }

  /// Pairs of contacts whose distance has changed by the minimum; the value is the multiple of the distance at the start.
  public var recognition: GestureRecognition<CGFloat> {
    let recognize = gesture.recognition.recognize
    return GestureRecognition(
      recognize: { update in
        switch recognize(update) {
        case .changed(let value): .changed(value.magnification)
        case .ended(let value): .ended(value.magnification)
        case nil: nil
        }
      },
      followsPinches: true
    )
  }
}
