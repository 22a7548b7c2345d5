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
  /// - Parameter content: Returns the view; called once, with the session of this launch.
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
  public var body: some AppExtensionScene { ContentScene(content: content(session)) }
}

/// A scene that presents a view.
private struct ContentScene<Content: CaptureView>: BuiltInScene {
  typealias Body = Never
  let content: Content

  var body: Never { fatalError("the body of this scene is never evaluated") }

  func present(in session: LockedCameraCaptureSession) throws { try content.appear(in: session) }
}
