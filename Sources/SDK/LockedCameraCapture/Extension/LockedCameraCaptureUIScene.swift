// SPDX-License-Identifier: Apache-2.0

/// The scene of a capture extension: the view that `content` makes for a session.
@MainActor
public struct LockedCameraCaptureUIScene<Content: CaptureView>: LockedCameraCaptureExtensionScene, Sendable {
  /// The session of this launch.
  @MainActor public let session: LockedCameraCaptureSession
  private let content: (LockedCameraCaptureSession) -> Content

  /// Makes a scene; `content` is called once, with the session of this launch.
  ///
  /// It has to be made in a capture extension, while it is started: there is no session anywhere else, and the process
  /// ends with a sentence that says so.
  @MainActor
  public init(content: @escaping (LockedCameraCaptureSession) -> Content) {
    guard let session = CurrentSession.session else {
      fatalError(
        "a LockedCameraCaptureUIScene exists only in a capture extension; start it with \"darkroom run\""
      )
    }
    self.session = session
    self.content = content
  }

  /// The content.
  @MainActor @preconcurrency
  public var body: some AppExtensionScene { ContentScene(content: content(session)) }
}

/// A scene that shows a view.
private struct ContentScene<Content: CaptureView>: BuiltInScene {
  typealias Body = Never
  let content: Content

  var body: Never { fatalError("this scene is made of nothing else") }

  func present(in session: LockedCameraCaptureSession) throws { try content.appear(in: session) }
}
