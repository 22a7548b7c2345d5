// SPDX-License-Identifier: Apache-2.0

/// The key of a custom environment value in ``EnvironmentValues``; SwiftUI's name and requirements.
public protocol EnvironmentKey {
  /// The type of the value.
  associatedtype Value

  /// The value in a view for which no enclosing view sets one.
  static var defaultValue: Value { get }
}

/// The environment values of a view.
///
/// Each access returns the value at that time.
@MainActor
public struct EnvironmentValues {
  /// The custom values, by the type of their key.
  private var additions: [ObjectIdentifier: Any] = [:]

  /// The value of a custom key.
  ///
  /// An extension of this type can declare a named property for it.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get {
      // `??` would treat a stored `nil` like a missing value.
      guard let value = additions[ObjectIdentifier(key)], let value = value as? Key.Value else {
        return key.defaultValue
      }
      return value
    }
    set { additions[ObjectIdentifier(key)] = newValue }
  }

  /// Returns the object of a type, or `nil` if no enclosing view has set one.
  package func object<Object: AnyObject>(_ type: Object.Type) -> Object? {
    additions[ObjectIdentifier(type)] as? Object
  }

  /// Sets the object of a type.
  package mutating func setObject<Object: AnyObject>(_ object: Object) {
    additions[ObjectIdentifier(Object.self)] = object
  }

  /// The session that shows the view, or `nil` before the view is shown.
  public var session: LockedCameraCaptureSession?
  /// Whether the session is in the foreground.
  public var scenePhase: ScenePhase
  /// The orientation of the machine.
  public var orientation: InterfaceOrientation
  /// The lock state of the screen.
  public var lockState: LockState
  /// The permissions of the extension, or `nil` before the view is shown.
  public var permissions: SessionPermissions?
  /// Whether the process is a capture extension, and not an app.
  public var isCaptureExtension: Bool

  /// Creates the values of a session.
  ///
  /// Without a session, the scene phase is `background` and the lock state is `locked`.
  init(_ session: LockedCameraCaptureSession?) {
    self.session = session
    scenePhase = session?.scenePhase ?? .background
    orientation = session?.orientation ?? .portrait
    lockState = session?.lockState ?? .locked
    permissions = session?.permissions
    isCaptureExtension = session != nil || ExecutionRole.current == .captureExtension
  }
}

/// The environment of a view: the values of the session with the changes by the enclosing views.
@MainActor
package final class EnvironmentScope {
  private let graph: ViewGraph
  private let parent: EnvironmentScope?
  /// The change by the view that creates this environment; each evaluation of that view replaces it.
  fileprivate var change: (inout EnvironmentValues) -> Void

  init(_ graph: ViewGraph) {
    self.graph = graph
    parent = nil
    change = { _ in }
  }

  package init(_ parent: EnvironmentScope, _ change: @escaping (inout EnvironmentValues) -> Void) {
    graph = parent.graph
    self.parent = parent
    self.change = change
  }

  /// The current values; a view that reads them is evaluated again when the session changes one.
  package var values: EnvironmentValues {
    graph.environmentReaders.register()
    var values = parent?.values ?? EnvironmentValues(graph.session)
    change(&values)
    return values
  }
}

/// The reference from an ``Environment`` property to its environment.
@MainActor
final class EnvironmentStorage {
  /// The environment of the view, or `nil` before the view is shown.
  var scope: EnvironmentScope?

  nonisolated init() {}
}

/// A property wrapper that reads an environment value of its view; SwiftUI's name and syntax.
///
/// Each access returns the current value. Before the view is shown, and in its `init`, it returns the value
/// without a session.
@MainActor @propertyWrapper
public struct Environment<Value>: BoundProperty {
  private let storage = EnvironmentStorage()
  private let read: @MainActor (EnvironmentValues) -> Value

  /// Creates a property that reads one of the ``EnvironmentValues``.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: keyPath] } }

  /// Creates a property with an object that an enclosing view has set with ``CaptureView/environment(_:)``.
  ///
  /// Reading the property terminates the process if no enclosing view has set an object of the type.
  public init(_ type: Value.Type) where Value: AnyObject {
    read = { values in
      guard let object = values.object(type) else {
        fatalError("no enclosing view has an object of type \(type); add .environment(object) to one")
      }
      return object
    }
  }

  /// The current value.
  public var wrappedValue: Value { read(storage.scope?.values ?? EnvironmentValues(nil)) }

  package func bind(to node: ViewNode) { storage.scope = node.environment }
}

/// A view with a changed environment.
private struct EnvironmentModifier<Content: CaptureView>: BuiltInView {
  let content: Content
  let change: (inout EnvironmentValues) -> Void

  func update(_ node: ViewNode) throws {
    let scope = node.storage as? EnvironmentScope ?? EnvironmentScope(node.environment, change)
    scope.change = change
    node.storage = scope
    try node.setChild(content, environment: scope)
  }
}

extension CaptureView {
  /// Sets an environment value of the view and its content.
  ///
  /// - Parameters:
  ///   - keyPath: The environment value.
  ///   - value: The new value.
  /// - Returns: The view with the changed environment.
  public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>,
    _ value: Value
  ) -> some CaptureView {
    EnvironmentModifier(content: self) { $0[keyPath: keyPath] = value }
  }

  /// Sets an object for ``Environment`` properties of the view and its content that have the type of the object.
  public func environment<Object: AnyObject>(_ object: Object) -> some CaptureView {
    EnvironmentModifier(content: self) { $0.setObject(object) }
  }

  /// Changes environment values of the view and its content.
  package func environment(changing change: @escaping (inout EnvironmentValues) -> Void) -> some CaptureView {
    EnvironmentModifier(content: self, change: change)
  }
}
