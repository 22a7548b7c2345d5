// SPDX-License-Identifier: Apache-2.0

/// A property wrapper for the mutable state of a view and its handlers; SwiftUI's name and syntax.
///
/// All copies of the view share the value. A change does not evaluate ``CaptureView/body`` again, because
/// there is no layout to update. The new value is used where the value is read: in handlers, in the drawing
/// of an ``Overlay``, and in the conditions and values of modifiers, which are evaluated again after each
/// event.
@MainActor @propertyWrapper
public struct State<Value> {
  /// The storage of the value, shared by all copies of the view.
  private final class Storage {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private let storage: Storage

  /// Creates a state with an initial value.
  public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

  /// Creates a state with an initial value.
  public init(initialValue: Value) { storage = Storage(initialValue) }

  /// The current value.
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }

  /// A binding through which another view can read and change the value.
  public var projectedValue: Binding<Value> {
    let storage = storage
    return Binding(get: { storage.value }, set: { storage.value = $0 })
  }
}

/// A property wrapper that reads and writes a value that is stored elsewhere; SwiftUI's name and syntax.
@MainActor @propertyWrapper
public struct Binding<Value> {
  private let read: @MainActor () -> Value
  private let write: @MainActor (Value) -> Void

  /// Creates a binding from a getter and a setter.
  public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
    read = get
    write = set
  }

  /// Returns a binding to a constant value; setting it has no effect.
  public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

  /// The current value.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// The binding itself, to pass to another view.
  public var projectedValue: Binding<Value> { self }
}
