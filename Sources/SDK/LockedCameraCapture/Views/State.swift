// SPDX-License-Identifier: Apache-2.0

/// A property wrapper for the mutable state of a view and its handlers; SwiftUI's name and syntax.
///
/// All copies of the view share the value, which lives as long as the view is in the tree. In an extension's structure, the value lives as
/// long as the session. A change evaluates the bodies again that read the value, after the current event.
@MainActor @propertyWrapper
public struct State<Value>: BoundProperty {
  /// The reference to the value, shared by all copies of a view that a body has created.
  @MainActor
  private final class Anchor {
    var storage: TrackedValue<Value>

    init(_ value: Value) { storage = TrackedValue(value) }
  }

  private let anchor: Anchor

  /// Creates a state with an initial value.
  public init(wrappedValue: Value) { anchor = Anchor(wrappedValue) }

  /// Creates a state with an initial value.
  public init(initialValue: Value) { anchor = Anchor(initialValue) }

  /// The current value.
  public var wrappedValue: Value {
    get { anchor.storage.value }
    nonmutating set { anchor.storage.value = newValue }
  }

  /// A binding through which another view can read and change the value.
  public var projectedValue: Binding<Value> {
    let anchor = anchor
    return Binding(get: { anchor.storage.value }, set: { anchor.storage.value = $0 })
  }

  package func bind(to node: ViewNode) { anchor.storage = node.nextPropertyStorage(anchor.storage) }
}

extension State where Value: ExpressibleByNilLiteral {
  /// Creates a state whose initial value is `nil`.
  public init() { self.init(wrappedValue: nil) }
}

/// A property wrapper that reads and writes a value that is stored elsewhere; SwiftUI's name and syntax.
@MainActor @propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  private let read: @MainActor () -> Value
  private let write: @MainActor (Value) -> Void

  /// Creates a binding from a getter and a setter.
  public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
    read = get
    write = set
  }

  /// Creates a binding with the value of another one.
  public init(projectedValue: Binding<Value>) { self = projectedValue }

  /// Returns a binding to a constant value; setting it has no effect.
  public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

  /// The current value.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// The binding itself, to pass to another view.
  public var projectedValue: Binding<Value> { self }

  /// Returns a binding to a member of the value.
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Binding<Member> {
    Binding<Member>(get: { read()[keyPath: keyPath] }) { new in
      var value = read()
      value[keyPath: keyPath] = new
      write(value)
    }
  }
}
