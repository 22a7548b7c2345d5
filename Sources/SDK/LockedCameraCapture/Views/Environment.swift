// SPDX-License-Identifier: Apache-2.0

/// The name of a value that an author adds to the ``EnvironmentValues``; SwiftUI's name and shape.
public protocol EnvironmentKey {
  /// What the value is.
  associatedtype Value

  /// What the value is where no view around has set it.
  static var defaultValue: Value { get }
}

/// What a view knows of the world around it; each value is as it is at the moment when it is read.
@MainActor
public struct EnvironmentValues {
  /// What authors have added, by the types of the keys.
  private var additions: [ObjectIdentifier: Any] = [:]

  /// The value of a key of the author's own; an extension of this type gives it a name.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get {
      // Not with `??`: a value may itself be nil, and that is not the same as none.
      guard let value = additions[ObjectIdentifier(key)], let value = value as? Key.Value else {
        return key.defaultValue
      }
      return value
    }
    set { additions[ObjectIdentifier(key)] = newValue }
  }

  /// The session that the view is shown in; nil before the view is shown.
  public var session: LockedCameraCaptureSession?
  /// Whether the session is what the person sees.
  public var scenePhase: ScenePhase
  /// How the machine is held.
  public var orientation: InterfaceOrientation
  /// Whether the person is locked out of the machine.
  public var lockState: LockState
  /// What the extension may use.
  public var permissions: SessionPermissions?
  /// Whether the view is in a capture extension, and not in an app.
  public var isCaptureExtension: Bool

  /// The values of a session, or those of a view that is shown nowhere: in the background, and locked.
  init(_ session: LockedCameraCaptureSession?) {
    self.session = session
    scenePhase = session?.scenePhase ?? .background
    orientation = session?.orientation ?? .portrait
    lockState = session?.lockState ?? .locked
    permissions = session?.permissions
    isCaptureExtension = session != nil || ExecutionRole.current == .captureExtension
  }
}

/// The environment of a view: the session's, and what the views around it have changed.
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

  /// The values at the moment.
  var values: EnvironmentValues {
    var values = parent?.values ?? EnvironmentValues(session)
    change(&values)
    return values
  }

  /// Tells the ``Environment`` properties of a view where they are.
  func bind(_ view: some CaptureView) {
    for child in Mirror(reflecting: view).children {
      (child.value as? any EnvironmentReader)?.place.scope = self
    }
  }
}

/// Where an ``Environment`` property finds its values.
@MainActor
final class EnvironmentPlace {
  /// The environment of the view whose property it is; nil before it is shown.
  var scope: EnvironmentScope?

  nonisolated init() {}
}

/// A property that reads the environment.
@MainActor
protocol EnvironmentReader {
  var place: EnvironmentPlace { get }
}

/// A value of the environment of a view, as it is when it is read; SwiftUI's name and shape.
///
/// Before the view is shown, and in its `init`, it has the value of a view that is shown nowhere.
@MainActor @propertyWrapper
public struct Environment<Value>: EnvironmentReader {
  let place = EnvironmentPlace()
  private let keyPath: KeyPath<EnvironmentValues, Value>

  /// Reads one of the ``EnvironmentValues``.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  /// The value as it is now.
  public var wrappedValue: Value {
    (place.scope?.values ?? EnvironmentValues(nil))[keyPath: keyPath]
  }
}

/// A view with another environment.
private struct EnvironmentChange<Content: CaptureView>: BuiltInView {
  let content: Content
  let change: (inout EnvironmentValues) -> Void

  func install(in context: ViewContext) throws {
    var context = context
    context.environment = EnvironmentScope(context.environment, change)
    try context.install(content)
  }
}

extension CaptureView {
  /// Gives a view, and all that it is made of, another value of the environment.
  public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>,
    _ value: Value
  ) -> some CaptureView {
    EnvironmentChange(content: self) { $0[keyPath: keyPath] = value }
  }
}
