// SPDX-License-Identifier: Apache-2.0

public import Combine
public import LockedCameraCapture

/// A property with an object of another view; a published change evaluates the view again. SwiftUI's name and syntax.
@MainActor @propertyWrapper
public struct ObservedObject<Object: ObservableObject>: BoundProperty {
  /// Bindings to the members of an object.
  @MainActor @dynamicMemberLookup
  public struct Wrapper {
    let object: Object

    /// Returns a binding to a member.
    public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Object, Value>) -> Binding<Value>
    {
      let object = object
      return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
    }
  }

  /// The object.
  public var wrappedValue: Object

  /// Creates a property with an object.
  public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }

  /// Bindings to the members of the object.
  public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

  package func bind(to node: ViewNode) {
    let object = wrappedValue
    object.objectWillChange.dependents.register(node)
  }
}

/// A property with an object that lives as long as the view; a published change evaluates the view again. SwiftUI's name and
/// syntax.
@MainActor @propertyWrapper
public struct StateObject<Object: ObservableObject>: BoundProperty {
  /// The reference to the object, which is created when it is first read.
  @MainActor
  private final class Storage {
    private let create: () -> Object
    private(set) lazy var object = create()

    init(_ create: @escaping () -> Object) { self.create = create }
  }

  /// The reference to the storage, shared by all copies of a view that a body has created.
  @MainActor
  private final class Anchor {
    var storage: Storage

    init(_ storage: Storage) { self.storage = storage }
  }

  private let anchor: Anchor

  /// Creates a property with an object, which is created when the view enters the tree.
  public init(wrappedValue: @autoclosure @escaping () -> Object) { anchor = Anchor(Storage(wrappedValue)) }

  /// The object.
  public var wrappedValue: Object { anchor.storage.object }

  /// Bindings to the members of the object.
  public var projectedValue: ObservedObject<Object>.Wrapper { .init(object: wrappedValue) }

  package func bind(to node: ViewNode) {
    anchor.storage = node.nextPropertyStorage(anchor.storage)
    let object = anchor.storage.object
    object.objectWillChange.dependents.register(node)
  }
}

/// A property with an object that an enclosing view sets with ``LockedCameraCapture/CaptureView/environmentObject(_:)``.
/// SwiftUI's name and syntax.
@MainActor @propertyWrapper
public struct EnvironmentObject<Object: ObservableObject>: BoundProperty {
  /// The reference to the object.
  @MainActor
  private final class Anchor {
    var object: Object?
  }

  private let anchor = Anchor()

  /// Creates a property.
  public init() {}

  /// The object; reading the property terminates the process if no enclosing view has set one.
  public var wrappedValue: Object {
    guard let object = anchor.object else {
      fatalError(
        "no enclosing view has an object of type \(Object.self); add .environmentObject(object) to one"
      )
    }
    return object
  }

  /// Bindings to the members of the object.
  public var projectedValue: ObservedObject<Object>.Wrapper { .init(object: wrappedValue) }

  package func bind(to node: ViewNode) {
    guard let object = node.environment.values.object(Object.self) else { return }
    anchor.object = object
    object.objectWillChange.dependents.register(node)
  }
}

extension View {
  /// Sets an object for ``EnvironmentObject`` properties of the view and its content.
  public func environmentObject<Object: ObservableObject>(_ object: Object) -> some View {
    environment(object)
  }
}
