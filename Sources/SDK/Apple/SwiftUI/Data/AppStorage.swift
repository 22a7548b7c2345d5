// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// The views that read values of user defaults.
@MainActor private let readers = Dependents()

/// A value in the user defaults; a change through any property with this type evaluates the views again. SwiftUI's name and
/// syntax.
///
/// In an extension, the user defaults are in the container of the session, which is erased at the end. Settings that outlive
/// the session belong to the app context (``LockedCameraCapture/SharedSettings``). A change by a method of `UserDefaults`
/// becomes visible with the next evaluation of the view.
@MainActor @propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
  private let key: String
  private let store: UserDefaults
  private let initial: Value
  private let decode: (Any) -> Value?
  /// Returns the object of a value, or `nil` to remove the key.
  private let encode: (Value) -> Any?

  private init(
    _ key: String,
    _ store: UserDefaults?,
    initial: Value,
    decode: @escaping (Any) -> Value?,
    encode: @escaping (Value) -> Any?
  ) {
    (self.key, self.store, self.initial) = (key, store ?? .standard, initial)
    (self.decode, self.encode) = (decode, encode)
  }

  /// Creates a property whose values are objects of user defaults.
  private init(object initial: Value, _ key: String, _ store: UserDefaults?) {
    self.init(key, store, initial: initial, decode: { $0 as? Value }, encode: { $0 })
  }

  /// Creates an optional property, which is `nil` while the key does not exist.
  private init<Wrapped>(optional key: String, _ store: UserDefaults?) where Value == Wrapped? {
    self.init(key, store, initial: nil, decode: { $0 as? Wrapped }, encode: { $0 })
  }

  /// The current value, or the initial value while the key does not exist or has another type.
  public var wrappedValue: Value {
    get {
      readers.register()
      return store.object(forKey: key).flatMap(decode) ?? initial
    }
    nonmutating set {
      if let object = encode(newValue) {
        store.set(object, forKey: key)
      } else {
        store.removeObject(forKey: key)
      }
      readers.invalidate()
    }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> {
    Binding(get: { self.wrappedValue }, set: { self.wrappedValue = $0 })
  }
}

extension AppStorage where Value == Bool {
  /// Creates a property with a key and an initial value.
  public init(wrappedValue: Bool, _ key: String, store: UserDefaults? = nil) {
    self.init(object: wrappedValue, key, store)
  }
}

extension AppStorage where Value == Int {
  /// Creates a property with a key and an initial value.
  public init(wrappedValue: Int, _ key: String, store: UserDefaults? = nil) {
    self.init(object: wrappedValue, key, store)
  }
}

extension AppStorage where Value == Double {
  /// Creates a property with a key and an initial value.
  public init(wrappedValue: Double, _ key: String, store: UserDefaults? = nil) {
    self.init(object: wrappedValue, key, store)
  }
}

extension AppStorage where Value == String {
  /// Creates a property with a key and an initial value.
  public init(wrappedValue: String, _ key: String, store: UserDefaults? = nil) {
    self.init(object: wrappedValue, key, store)
  }
}

extension AppStorage where Value == Data {
  /// Creates a property with a key and an initial value.
  public init(wrappedValue: Data, _ key: String, store: UserDefaults? = nil) {
    self.init(object: wrappedValue, key, store)
  }
}

extension AppStorage where Value == URL {
  /// Creates a property with a key and an initial value.
  public init(wrappedValue: URL, _ key: String, store: UserDefaults? = nil) {
    // Foundation for Linux stores only the path of a URL.
    self.init(
      key,
      store,
      initial: wrappedValue,
      decode: { ($0 as? String).flatMap { URL(string: $0) } },
      encode: { $0.absoluteString }
    )
  }
}

extension AppStorage where Value: RawRepresentable {
  /// Creates a property with a key and an initial value, for example of an enumeration.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value.RawValue == String {
    self.init(raw: wrappedValue, key, store)
  }

  /// Creates a property with a key and an initial value, for example of an enumeration.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value.RawValue == Int {
    self.init(raw: wrappedValue, key, store)
  }

  private init(raw initial: Value, _ key: String, _ store: UserDefaults?) {
    self.init(
      key,
      store,
      initial: initial,
      decode: { ($0 as? Value.RawValue).flatMap { Value(rawValue: $0) } },
      encode: { $0.rawValue }
    )
  }
}

extension AppStorage where Value: ExpressibleByNilLiteral {
  /// Creates a property that is `nil` while the key does not exist.
  public init(_ key: String, store: UserDefaults? = nil) where Value == Bool? {
    self.init(optional: key, store)
  }

  /// Creates a property that is `nil` while the key does not exist.
  public init(_ key: String, store: UserDefaults? = nil) where Value == Int? {
    self.init(optional: key, store)
  }

  /// Creates a property that is `nil` while the key does not exist.
  public init(_ key: String, store: UserDefaults? = nil) where Value == Double? {
    self.init(optional: key, store)
  }

  /// Creates a property that is `nil` while the key does not exist.
  public init(_ key: String, store: UserDefaults? = nil) where Value == String? {
    self.init(optional: key, store)
  }

  /// Creates a property that is `nil` while the key does not exist.
  public init(_ key: String, store: UserDefaults? = nil) where Value == Data? {
    self.init(optional: key, store)
  }
}
