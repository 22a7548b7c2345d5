// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A reaction to contacts with a view; SwiftUI's name. The library implements all gestures.
@MainActor
public protocol Gesture<Value> {
  /// The value of the gesture.
  associatedtype Value

  /// The contacts that the gesture recognizes, and its actions.
  var recognition: GestureRecognition<Value> { get }
}

/// The contacts that a gesture recognizes, and its actions.
@MainActor
public struct GestureRecognition<Value> {
  /// Returns the event of a gesture for a change of a contact, or `nil` if the change means nothing to the gesture.
  let recognize: @MainActor (ContactUpdate) -> GestureEvent<Value>?
  /// The seconds after which a contact that rests is recognized, or `nil` if only changes are recognized.
  var restDuration: Double?
  /// Returns the number of recognized contacts, following each other, after which the gesture ends with a value.
  var tapCount: @MainActor (Value) -> Int = { _ in 1 }
  /// Returns the values with which a contact can end if too few contacts follow it for the recognized gesture, first choice
  /// first.
  var alternatives: @MainActor (ContactUpdate) -> [Value] = { _ in [] }
  /// Whether the gesture recognizes two contacts at the same time.
  var followsPinches = false
  var changed: [@MainActor (Value) -> Void] = []
  var ended: [@MainActor (Value) -> Void] = []
  /// The actions at the end of a contact, whether it was recognized or not.
  var finished: [@MainActor () -> Void] = []
}

/// An event of a gesture.
enum GestureEvent<Value> {
  case changed(Value)
  case ended(Value)
}

/// A gesture with an action that was added to it.
public struct GestureWithAction<Value>: Gesture {
  /// The contacts that the gesture recognizes, and its actions.
  public let recognition: GestureRecognition<Value>
}

extension Gesture {
  /// Adds an action for changes of the gesture.
  public func onChanged(_ action: @escaping @MainActor (Value) -> Void) -> GestureWithAction<Value> {
    var recognition = recognition
    recognition.changed.append(action)
    return GestureWithAction(recognition: recognition)
  }

  /// Adds an action for the end of the gesture. A canceled gesture does not end.
  public func onEnded(_ action: @escaping @MainActor (Value) -> Void) -> GestureWithAction<Value> {
    var recognition = recognition
    recognition.ended.append(action)
    return GestureWithAction(recognition: recognition)
  }
}

/// A short contact; SwiftUI's name.
public struct TapGesture: Gesture {
  private let count: Int

  /// Creates a gesture of a number of contacts, which follow each other.
  public init(count: Int = 1) { self.count = count }

  /// The contacts that end within 20 points of the view.
  public var recognition: GestureRecognition<Void> {
    GestureRecognition(
      recognize: { $0.phase == .ended && $0.isInside ? .ended(()) : nil },
      tapCount: { [count] _ in count }
    )
  }
}

/// A short contact, with its position; SwiftUI's name.
public struct SpatialTapGesture: Gesture {
  /// The position of a contact.
  public struct Value: Sendable {
    /// The position in points of the view.
    public let location: CGPoint
  }

  private let count: Int

  /// Creates a gesture of a number of contacts, which follow each other.
  public init(count: Int = 1) { self.count = count }

  /// The contacts that end within 20 points of the view.
  public var recognition: GestureRecognition<Value> {
    GestureRecognition(
      recognize: { update in
        guard update.phase == .ended, update.isInside else { return nil }
        return .ended(Value(location: CGPoint(update.location - update.frame.low)))
      },
      tapCount: { [count] _ in count }
    )
  }
}

/// A contact that moves; SwiftUI's name.
public struct DragGesture: Gesture {
  /// The positions of a contact, in points of the view.
  public struct Value: Sendable {
    /// The position at which the contact began.
    public let startLocation: CGPoint
    /// The current position.
    public let location: CGPoint
    /// The distance between both positions.
    public var translation: CGSize {
      CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
    }
  }

  private let minimumDistance: Double

  /// Creates a gesture that is recognized after a distance in points.
  public init(minimumDistance: CGFloat = 10) { self.minimumDistance = minimumDistance }

  /// The contacts that are or were farther from their start than the minimum.
  public var recognition: GestureRecognition<Value> {
    let minimum = minimumDistance
    return GestureRecognition { update in
      let distance = (update.translation * update.translation).sum().squareRoot()
      guard distance >= minimum || update.recognized != nil, update.phase != .cancelled else { return nil }
      let value = Value(
        startLocation: CGPoint(update.start - update.frame.low),
        location: CGPoint(update.location - update.frame.low)
      )
      return update.phase == .ended ? .ended(value) : .changed(value)
    }
  }
}

/// A contact that rests; SwiftUI's name.
public struct LongPressGesture: Gesture {
  private let minimumDuration: Double

  /// Creates a gesture that is recognized after some seconds.
  public init(minimumDuration: Double = 0.5) { self.minimumDuration = minimumDuration }

  /// The contacts that rest within 10 points for the minimum duration.
  public var recognition: GestureRecognition<Bool> {
    let minimum = minimumDuration
    return GestureRecognition(
      recognize: { update in
        let isResting = (update.translation * update.translation).sum() < 100
        return update.phase == .moved && isResting && update.seconds >= minimum ? .ended(true) : nil
      },
      restDuration: minimum
    )
  }
}

extension CGPoint {
  /// Creates a point from a vector.
  init(_ vector: Vector) { self.init(x: vector.x, y: vector.y) }
}
