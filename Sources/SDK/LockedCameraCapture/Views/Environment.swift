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
final class EnvironmentScope {
  private let session: LockedCameraCaptureSession
  private let parent: EnvironmentScope?
  private let change: (inout EnvironmentValues) -> Void

  init(_ session: LockedCameraCaptureSession) {
    self.session = session
    parent = nil
    change = { _ in }
  }

  init(_ parent: EnvironmentScope, _ change: @escaping (inout EnvironmentValues) -> Void) {
    session = parent.session
    self.parent = parent
    self.change = change
  }

  /// The current values.
  var values: EnvironmentValues {
    var values = parent?.values ?? EnvironmentValues(session)
    change(&values)
    return values
  }

  /// Connects the ``Environment`` properties of a view to this environment.
  func bind(_ view: some CaptureView) {
    for child in Mirror(reflecting: view).children {
      (child.value as? any EnvironmentReader)?.storage.scope = self
    }
  }
}

/// The reference from an ``Environment`` property to its environment.
@MainActor
final class EnvironmentStorage {
  /// The environment of the view, or `nil` before the view is shown.
  var scope: EnvironmentScope?

  nonisolated init() {}
}

/// A property wrapper that reads the environment.
@MainActor
protocol EnvironmentReader {
  var storage: EnvironmentStorage { get }
}

/// A property wrapper that reads an environment value of its view; SwiftUI's name and syntax.
///
/// Each access returns the current value. Before the view is shown, and in its `init`, it returns the value
/// without a session.
@MainActor @propertyWrapper
public struct Environment<Value>: EnvironmentReader {
  let storage = EnvironmentStorage()
  private let keyPath: KeyPath<EnvironmentValues, Value>

  /// Creates a property that reads one of the ``EnvironmentValues``.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  /// The current value.
  public var wrappedValue: Value {
    (storage.scope?.values ?? EnvironmentValues(nil))[keyPath: keyPath]
  }
}

/// A view with a changed environment.
private struct EnvironmentModifier<Content: CaptureView>: BuiltInView {
  let content: Content
  let change: (inout EnvironmentValues) -> Void

  func install(in context: ViewContext) throws {
    var context = context
    context.environment = EnvironmentScope(context.environment, change)
    try context.install(content)
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
}
