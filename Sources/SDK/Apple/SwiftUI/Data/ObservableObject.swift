// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture
internal import Synchronization

/// An object whose published properties evaluate views again; Combine's name.
public protocol ObservableObject: AnyObject {
  /// The publisher of changes.
  var objectWillChange: ObservableObjectPublisher { get }
}

extension ObservableObject {
  /// The publisher that all published properties of the object use.
  public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher.publisher(of: self) }
}

/// The publisher of the changes of an object; Combine's name.
public final class ObservableObjectPublisher: Sendable {
  /// The views that use the object.
  let dependents = Dependents()

  /// The publisher of an object, which it does not keep.
  ///
  /// It is `@unchecked Sendable` because the weak reference is only compared with `nil`.
  private struct Entry: @unchecked Sendable {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  /// The publishers by their objects.
  private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  /// Creates a publisher for an object that declares its own.
  public init() {}

  /// Returns the publisher of an object.
  fileprivate static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let key = ObjectIdentifier(object)
    let new = Entry(object: object, publisher: ObservableObjectPublisher())
    return entries.withLock { entries in
      // A later object can have the address of a released one.
      if let known = entries[key], known.object != nil { return known.publisher }
      entries = entries.filter { $0.value.object != nil }
      entries[key] = new
      return new.publisher
    }
  }

  /// Evaluates the views of the object again, after the current event of the main actor.
  public func send() { dependents.invalidateFromAnyThread() }
}

/// A property whose changes an ``ObservableObject`` publishes; Combine's name and syntax.
///
/// Change the property on the main thread: a view may miss a change on another thread.
@propertyWrapper
public struct Published<Value> {
  private var value: Value

  /// Creates a property with an initial value.
  public init(wrappedValue: Value) { value = wrappedValue }

  /// Creates a property with an initial value.
  public init(initialValue: Value) { value = initialValue }

  /// The value, which is available only in objects.
  @available(*, unavailable, message: "@Published is available only on properties of classes")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// The value in an object.
  public static subscript<Object: ObservableObject>(
    _enclosingInstance object: Object,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<Object, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<Object, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].value }
    set {
      object.objectWillChange.send()
      object[keyPath: storageKeyPath].value = newValue
    }
  }
}
