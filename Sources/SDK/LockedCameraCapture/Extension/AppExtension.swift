// SPDX-License-Identifier: Apache-2.0

/// A program that a host runs for a limited time; Apple's protocol. A capture extension is one kind.
///
/// The whole protocol is isolated to the main actor, not only its requirements. Otherwise a type could not
/// conform to it without annotations in a module with main actor `defaultIsolation`.
@MainActor @preconcurrency
public protocol AppExtension {
  /// The type of ``configuration``.
  associatedtype Configuration: AppExtensionConfiguration

  /// The configuration with which the host connects to the extension.
  ///
  /// The library provides a default implementation.
  @MainActor @preconcurrency var configuration: Configuration { get }

  /// The extension point that the extension binds to.
  ///
  /// The library provides a default implementation.
  @MainActor @AppExtensionPoint.Bind var extensionPoint: AppExtensionPoint { get }

  /// Creates the extension; the library calls it once per process.
  @MainActor @preconcurrency init()

  /// Runs the extension; the library implements it and `@main` calls it.
  @MainActor static func main() throws
}

extension AppExtension {
  /// The identifier of an extension point.
  public typealias Identifier = AppExtensionPoint.Identifier

  /// The result builder that binds an extension to its extension point.
  public typealias Bind = AppExtensionPoint.Bind
}

/// The configuration with which an extension connects to its host.
@MainActor @preconcurrency
public protocol AppExtensionConfiguration: Sendable {}

/// A configuration that presents a scene.
@MainActor
public struct AppExtensionSceneConfiguration: AppExtensionConfiguration {
  /// Presents the scene in a session.
  ///
  /// It is called once, before the session handles any event.
  let present: (LockedCameraCaptureSession) throws -> Void

  /// Creates a configuration that presents `scene`.
  public init(_ scene: some AppExtensionScene) { present = { try SceneTree.present(scene, in: $0) } }
}

/// A part of the user interface of an extension: a composition of other scenes, or a scene that the library
/// implements.
@MainActor @preconcurrency
public protocol AppExtensionScene {
  /// The type of ``body``.
  associatedtype Body: AppExtensionScene

  /// The content of the scene.
  var body: Body { get }
}

extension Never: AppExtensionScene {
  /// Never returns: `Never` has no instances.
  @MainActor public var body: Never { switch self {} }
}

/// A scene that the library implements, without a body.
@MainActor
protocol BuiltInScene: AppExtensionScene {
  /// Presents the scene in `session`.
  ///
  /// - Throws: The error that prevents its presentation.
  func present(in session: LockedCameraCaptureSession) throws

  /// Makes the Swift runtime instantiate the metadata and conformances of the scene's content, in a prewarmed process.
  static func warmUp()
}

/// Resolves a scene to the built-in scene at the end of its chain of bodies.
@MainActor
enum SceneTree {
  /// Presents the built-in scene that `scene` consists of.
  static func present(_ scene: some AppExtensionScene, in session: LockedCameraCaptureSession) throws {
    if let scene = scene as? any BuiltInScene { return try scene.present(in: session) }
    try present(scene.body, in: session)
  }

  /// Follows the chain of body types without creating a scene, so that the Swift runtime instantiates their
  /// metadata and conformances.
  ///
  /// `steps` limits the depth, because a scene's body can have the scene's own type.
  static func walk<Scene: AppExtensionScene>(_ type: Scene.Type, atMost steps: Int = 8) {
    if let scene = type as? any BuiltInScene.Type { return scene.warmUp() }
    if steps > 0 { walk(Scene.Body.self, atMost: steps - 1) }
  }
}
