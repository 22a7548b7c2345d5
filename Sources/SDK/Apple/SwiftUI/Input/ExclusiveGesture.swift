// SPDX-License-Identifier: Apache-2.0

/// Two gestures of which only one is recognized in a contact; SwiftUI's name. The first one has precedence.
public struct ExclusiveGesture<First: Gesture, Second: Gesture>: Gesture {
  /// The value of the recognized gesture.
  public enum Value {
    /// The value of the first gesture.
    case first(First.Value)
    /// The value of the second gesture.
    case second(Second.Value)
  }

  private let first: First
  private let second: Second

  /// Creates a gesture from two others.
  public init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

  /// The contacts that one of the gestures recognizes, with the actions of both.
  public var recognition: GestureRecognition<Value> {
    let (first, second) = (first.recognition, second.recognition)
    return GestureRecognition(
      recognize: { update in
        // A gesture that was recognized keeps the contact.
        switch update.recognized as? Value {
        case .first(let value): first.recognize(update.recognized(as: value))?.mapped { .first($0) }
        case .second(let value): second.recognize(update.recognized(as: value))?.mapped { .second($0) }
        case nil:
          first.recognize(update)?.mapped { .first($0) } ?? second.recognize(update)?.mapped { .second($0) }
        }
      },
      restDuration: [first.restDuration, second.restDuration].compactMap { $0 }.min(),
      tapCount: { value in
        switch value {
        case .first(let value): first.tapCount(value)
        case .second(let value): second.tapCount(value)
        }
      },
      alternatives: { update in
        var values = first.alternatives(update).map { Value.first($0) }
        if case .ended(let value) = second.recognize(update) { values.append(.second(value)) }
        return values + second.alternatives(update).map { .second($0) }
      },
      followsPinches: first.followsPinches || second.followsPinches,
      changed: [{ Self.perform($0, first.changed, second.changed) }],
      ended: [{ Self.perform($0, first.ended, second.ended) }],
      finished: first.finished + second.finished
    )
  }

  /// Performs the actions of the recognized gesture.
  private static func perform(
    _ value: Value,
    _ first: [@MainActor (First.Value) -> Void],
    _ second: [@MainActor (Second.Value) -> Void]
  ) {
    switch value {
    case .first(let value): for action in first { action(value) }
    case .second(let value): for action in second { action(value) }
    }
  }
}

extension GestureEvent {
  /// Returns the event with another value.
  fileprivate func mapped<New>(_ transform: (Value) -> New) -> GestureEvent<New> {
    switch self {
    case .changed(let value): .changed(transform(value))
    case .ended(let value): .ended(transform(value))
    }
  }
}

extension ContactUpdate {
  /// Returns the update for a gesture that was recognized with a value.
  fileprivate func recognized(as value: Any) -> ContactUpdate {
    var update = self
    update.recognized = value
    return update
  }
}

extension Gesture {
  /// Returns a gesture of which a contact is either this gesture or, if this one is not recognized, `other`.
  ///
  /// If this gesture needs several taps, a contact is `other` when no further tap has followed within 0.35 seconds.
  public func exclusively<Other: Gesture>(before other: Other) -> ExclusiveGesture<Self, Other> {
    ExclusiveGesture(self, other)
  }
}
