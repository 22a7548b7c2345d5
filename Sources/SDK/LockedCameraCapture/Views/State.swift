// SPDX-License-Identifier: Apache-2.0

/// What a view and its handlers remember; SwiftUI's name and shape.
///
/// The value is that of the view and of everything that is made of it. A change makes no body be asked again, as there is
/// nothing to lay out: it is seen where the value is read, in handlers, in the drawing of an ``Overlay``, and in the
/// conditions and values of modifiers, which are looked at anew after everything that happens.
@MainActor @propertyWrapper
public struct State<Value> {
  /// Where the value is, for all copies of the view.
  private final class Place {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private let place: Place

  /// Begins with a value.
  public init(wrappedValue: Value) { place = Place(wrappedValue) }

  /// Begins with a value.
  public init(initialValue: Value) { place = Place(initialValue) }

  /// The value as it is now.
  public var wrappedValue: Value {
    get { place.value }
    nonmutating set { place.value = newValue }
  }

  /// The value for another view, which may change it.
  public var projectedValue: Binding<Value> {
    let place = place
    return Binding(get: { place.value }, set: { place.value = $0 })
  }
}

/// A value that somebody else remembers; SwiftUI's name and shape.
@MainActor @propertyWrapper
public struct Binding<Value> {
  private let read: @MainActor () -> Value
  private let write: @MainActor (Value) -> Void

  /// Reads and writes with these.
  public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
    read = get
    write = set
  }

  /// A value that does not change.
  public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

  /// The value as it is now.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// The same for another view.
  public var projectedValue: Binding<Value> { self }
}
