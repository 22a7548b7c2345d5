// SPDX-License-Identifier: Apache-2.0

/// A property whose changes an ``ObservableObject`` publishes; Combine's name and syntax.
///
/// Change the property on the main thread: a view may miss a change on another thread.
@propertyWrapper
public struct Published<Value> {
  /// The publisher of the values of a property: the current value, and each new value before the property changes.
  public struct Publisher: Combine.Publisher {
    fileprivate let storage: Storage

    /// Delivers the current value and each new one, until the returned object is canceled or released.
    public func deliver(to receiver: Receiver<Value, Never>) -> AnyCancellable {
      receiver.value(storage.value)
      return storage.receivers.add(receiver)
    }
  }

  /// The value, and the receivers of its changes.
  fileprivate final class Storage {
    var value: Value
    let receivers = Receivers<Value, Never>()

    init(_ value: Value) { self.value = value }
  }

  private let storage: Storage

  /// Creates a property with an initial value.
  public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

  /// Creates a property with an initial value.
  public init(initialValue: Value) { storage = Storage(initialValue) }

  /// The publisher of the values.
  public var projectedValue: Publisher { Publisher(storage: storage) }

  /// The value, which is available only in objects.
  @available(*, unavailable, message: "@Published is available only on properties of classes")
  public var wrappedValue: Value {
    get { storage.value }
    set { storage.value = newValue }
  }

  /// The value in an object.
  public static subscript<Object: ObservableObject>(
    _enclosingInstance object: Object,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<Object, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<Object, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set {
      object.objectWillChange.send()
      let storage = object[keyPath: storageKeyPath].storage
      storage.receivers.send(newValue)
      storage.value = newValue
    }
  }
}
