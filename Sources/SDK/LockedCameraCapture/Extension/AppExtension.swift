// SPDX-License-Identifier: Apache-2.0

/// A program that a host starts for a while; Apple's protocol, of which a capture extension is one kind.
///
/// It belongs to the main actor as a whole, and not only with its requirements: otherwise no type of a module whose
/// declarations are the main actor's by default (`defaultIsolation`) could conform to it without more words.
@MainActor @preconcurrency
public protocol AppExtension {
  /// What the host is met with.
  associatedtype Configuration: AppExtensionConfiguration

  /// What the host is met with; the library supplies it.
  @MainActor @preconcurrency var configuration: Configuration { get }

  /// What the extension is for; the library supplies it.
  @MainActor @AppExtensionPoint.Bind var extensionPoint: AppExtensionPoint { get }

  /// Makes the extension; once in each process.
  @MainActor @preconcurrency init()

  /// Runs the extension; the library supplies it, and `@main` calls it.
  @MainActor static func main() throws
}

extension AppExtension {
  /// The name of an extension point.
  public typealias Identifier = AppExtensionPoint.Identifier

  /// What binds an extension to its point.
  public typealias Bind = AppExtensionPoint.Bind
}

/// What an extension meets its host with.
@MainActor @preconcurrency
public protocol AppExtensionConfiguration: Sendable {}

/// A configuration that shows a scene.
@MainActor
public struct AppExtensionSceneConfiguration: AppExtensionConfiguration {
  /// Shows the scene in a session; called once, before anything happens in it.
  let present: (LockedCameraCaptureSession) throws -> Void

  /// Makes a configuration that shows a scene.
  public init(_ scene: some AppExtensionScene) { present = { try SceneTree.present(scene, in: $0) } }
}

/// What an extension shows, made of other scenes or known to the library.
@MainActor @preconcurrency
public protocol AppExtensionScene {
  /// What the scene is made of.
  associatedtype Body: AppExtensionScene

  /// What the scene is made of.
  var body: Body { get }
}

extension Never: AppExtensionScene {
  /// There is no such scene.
  @MainActor public var body: Never { switch self {} }
}

/// A scene that is made of nothing else.
@MainActor
protocol BuiltInScene: AppExtensionScene {
  /// Shows it.
  func present(in session: LockedCameraCaptureSession) throws
}

/// The way from a scene to what it is made of.
@MainActor
enum SceneTree {
  /// Shows a scene.
  static func present(_ scene: some AppExtensionScene, in session: LockedCameraCaptureSession) throws {
    if let scene = scene as? any BuiltInScene { return try scene.present(in: session) }
    try present(scene.body, in: session)
  }

  /// Goes the same way by the types, so that Swift has made them and knows what they conform to. It is a few steps at most:
  /// what a scene is made of can be of its own type.
  static func walk<Scene: AppExtensionScene>(_ type: Scene.Type, atMost steps: Int = 8) {
    if steps == 0 || type is any BuiltInScene.Type { return }
    walk(Scene.Body.self, atMost: steps - 1)
  }
}
