// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A property that a gesture changes, and that returns to its initial value when the gesture ends or is canceled; SwiftUI's name
/// and syntax.
@MainActor @propertyWrapper
public struct GestureState<Value>: BoundProperty {
  /// The reference to the value, shared by all copies of a view that a body has created.
  @MainActor
  private final class Anchor {
    var storage: TrackedValue<Value>

    init(_ value: Value) { storage = TrackedValue(value) }
  }

  private let anchor: Anchor
  private let initialValue: Value

  /// Creates a property with its initial value.
  public init(wrappedValue: Value) {
    anchor = Anchor(wrappedValue)
    initialValue = wrappedValue
  }

  /// Creates a property with its initial value.
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// The current value.
  public var wrappedValue: Value { anchor.storage.value }

  /// The property itself, for ``Gesture/updating(_:body:)``.
  public var projectedValue: GestureState<Value> { self }

  package func bind(to node: ViewNode) { anchor.storage = node.nextPropertyStorage(anchor.storage) }

  /// Changes the value.
  fileprivate func change(_ change: (inout Value) -> Void) {
    var value = anchor.storage.value
    change(&value)
    anchor.storage.value = value
  }

  /// Sets the initial value.
  fileprivate func reset() { anchor.storage.value = initialValue }
}

/// The context of a change of the interface; SwiftUI's name. A change has no properties here.
public struct Transaction: Sendable {
  /// Creates a context.
  public init() {}
}

extension Gesture {
  /// Changes a property during the gesture; afterwards, the property has its initial value again.
  ///
  /// - Parameters:
  ///   - state: The property.
  ///   - body: A closure that changes the property, called with the value of the gesture, the property and the context.
  /// - Returns: The gesture with the action.
  public func updating<State>(
    _ state: GestureState<State>,
    body: @escaping @MainActor (Value, inout State, inout Transaction) -> Void
  ) -> GestureWithAction<Value> {
    var recognition = recognition
    recognition.changed.append { value in
      state.change { property in
        var transaction = Transaction()
        body(value, &property, &transaction)
      }
    }
    recognition.finished.append { state.reset() }
    return GestureWithAction(recognition: recognition)
  }
}
