// SPDX-License-Identifier: Apache-2.0

/// The scene of a capture extension: the view that `content` creates for a session.
@MainActor
public struct LockedCameraCaptureUIScene<Content: CaptureView>: LockedCameraCaptureExtensionScene, Sendable {
  /// The session of this launch.
  @MainActor public let session: LockedCameraCaptureSession
  private let content: (LockedCameraCaptureSession) -> Content

  /// Creates a scene.
  ///
  /// Create it only in the ``LockedCameraCaptureExtension/body`` of a capture extension: in any other
  /// process, the initializer terminates the process with a message.
  ///
  /// - Parameter content: Returns the view; called with the session of this launch when the scene is presented, and again when a
  ///   value changes that the closure reads, such as a ``State`` of the extension.
  @MainActor
  public init(content: @escaping (LockedCameraCaptureSession) -> Content) {
    guard let session = CurrentSession.session else {
      fatalError(
        "a LockedCameraCaptureUIScene is available only in a capture extension; start it with 'darkroom run'"
      )
    }
    self.session = session
    self.content = content
  }

  /// The content of the scene.
  @MainActor @preconcurrency
  public var body: some AppExtensionScene { ContentScene(session: session, content: content) }
}

/// A scene that presents a view.
private struct ContentScene<Content: CaptureView>: BuiltInScene {
  typealias Body = Never
  let session: LockedCameraCaptureSession
  let content: (LockedCameraCaptureSession) -> Content

  var body: Never { fatalError("the body of this scene is never evaluated") }

  func present(in session: LockedCameraCaptureSession) throws {
    try SceneContent(session: self.session, content: content).appear(in: session)
  }

  static func warmUp() {
    Warmup.walk(SceneContent<Content>.self)
    Warmup.walk(Content.self)
  }
}

/// The view of a scene, whose content is created again when a value changes that the closure reads.
///
/// The view has no dynamic properties, and calls the closure without a search for them: the search would take longer than the
/// rest of the way from the launch to the extension's own code.
private struct SceneContent<Content: CaptureView>: BuiltInView {
  let session: LockedCameraCaptureSession
  let content: (LockedCameraCaptureSession) -> Content

  func update(_ node: ViewNode) throws {
    try node.setChild(node.tracking { content(session) })
  }
}
