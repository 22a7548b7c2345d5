// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A property with an observable object, whose members can be bound; SwiftUI's name and syntax.
@MainActor @propertyWrapper @dynamicMemberLookup
public struct Bindable<Object: AnyObject> {
  /// The object.
  public var wrappedValue: Object

  /// Creates a property with an object.
  public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }

  /// Creates a value with an object, to bind its members.
  public init(_ object: Object) { wrappedValue = object }

  /// The value itself, to bind the members of the object.
  public var projectedValue: Bindable<Object> { self }

  /// Returns a binding to a member of the object.
  public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Object, Value>) -> Binding<Value> {
    let object = wrappedValue
    return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
  }
}
