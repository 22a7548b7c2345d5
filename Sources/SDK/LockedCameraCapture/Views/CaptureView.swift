// SPDX-License-Identifier: Apache-2.0

/// A part of a capture extension's user interface, composed of other views; ``View`` is an alias with
/// SwiftUI's name.
///
/// There is no UI toolkit. The library evaluates ``body`` once, at the start of the session. It declares the
/// frames that are drawn into the viewfinder, the overlays, and the button handlers. Values that change are
/// read at the place of use: in handlers, in the drawing of an ``Overlay``, and in the conditions of
/// modifiers, which are evaluated again after each event.
@MainActor @preconcurrency
public protocol CaptureView {
  /// The type of ``body``.
  associatedtype Body: CaptureView

  /// The content of the view.
  @CaptureViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

/// SwiftUI's name for ``CaptureView``.
public typealias View = CaptureView

/// SwiftUI's name for ``CaptureViewBuilder``.
public typealias ViewBuilder = CaptureViewBuilder

extension Never: CaptureView {}

/// A view that the library implements, without a body.
@MainActor
protocol BuiltInView: CaptureView where Body == Never {
  /// Installs the behavior of the view in the session.
  func install(in context: ViewContext) throws
}

extension BuiltInView {
  /// Never returns; the library does not evaluate it.
  public var body: Never { fatalError("the body of \(Self.self) is never evaluated") }
}

/// The context of a view: its session and its environment.
@MainActor
struct ViewContext {
  let session: LockedCameraCaptureSession
  /// The environment, including the changes by the enclosing views.
  var environment: EnvironmentScope

  /// Installs a view and its content.
  func install(_ view: some CaptureView) throws {
    if let view = view as? any BuiltInView { return try view.install(in: self) }
    environment.bind(view)
    try install(view.body)
  }
}

extension CaptureView {
  /// Installs the main view of a session; called once, before the session handles events.
  ///
  /// - Parameter session: The session.
  /// - Throws: The error that prevents the presentation of the view.
  package func appear(in session: LockedCameraCaptureSession) throws {
    let environment = EnvironmentScope(session)
    try ViewContext(session: session, environment: environment).install(self)
    try session.runtime.awaitSceneReplies()
  }
}
