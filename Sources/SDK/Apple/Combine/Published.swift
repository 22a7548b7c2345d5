// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A property of a class or actor whose changes are published; Combine's name and syntax.
///
/// The changes of an ``ObservableObject`` are also changes of the object.
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

  /// The value, and the receivers of its changes. It may be used on any thread.
  fileprivate final class Storage: Sendable {
    /// Passes a value between threads, as Combine does: the object of the property, such as an actor, protects the value.
    private struct Box: @unchecked Sendable { var value: Value }

    private let box: Mutex<Box>
    let receivers = Receivers<Value, Never>()

    init(_ value: Value) { box = Mutex(Box(value: value)) }

    var value: Value {
      get { box.withLock { $0 }.value }
      set {
        let box = Box(value: newValue)
        self.box.withLock { $0 = box }
      }
    }
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
  public static subscript<Object: AnyObject>(
    _enclosingInstance object: Object,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<Object, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<Object, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set {
      (object as? any ObservableObject)?.objectWillChange.send()
      let storage = object[keyPath: storageKeyPath].storage
      storage.receivers.send(newValue)
      storage.value = newValue
    }
  }
}

extension Published.Publisher: Sendable where Value: Sendable {}
