// SPDX-License-Identifier: Apache-2.0

/// What a capture extension shows, made of other views; SwiftUI's shape, and its name, ``View``, too.
///
/// There is no toolkit behind it. ``body`` is asked once, when the session begins, and says what the views do from then
/// on: which frames are drawn into the viewfinder, what is drawn over them, what happens when a button is pressed. What
/// changes is read where it is used: in handlers, in the drawing of an ``Overlay``, and in the conditions of modifiers,
/// which are looked at anew after everything that happens.
@MainActor @preconcurrency
public protocol CaptureView {
  /// What the view is made of.
  associatedtype Body: CaptureView

  /// What the view is made of.
  @CaptureViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

/// SwiftUI's name for ``CaptureView``.
public typealias View = CaptureView

/// SwiftUI's name for ``CaptureViewBuilder``.
public typealias ViewBuilder = CaptureViewBuilder

extension Never: CaptureView {}

/// A view that is made of nothing else.
@MainActor
protocol BuiltInView: CaptureView where Body == Never {
  /// Does what the view is for.
  func install(in context: ViewContext) throws
}

extension BuiltInView {
  /// Nobody asks for it.
  public var body: Never { fatalError("\(Self.self) is made of nothing else") }
}

/// Where a view is: in which session, and with which environment.
@MainActor
struct ViewContext {
  /// The session.
  let session: LockedCameraCaptureSession
  /// What the views around it have set.
  var environment: EnvironmentScope

  /// Does what a view and all that it is made of are for.
  func install(_ view: some CaptureView) throws {
    if let view = view as? any BuiltInView { return try view.install(in: self) }
    environment.bind(view)
    try install(view.body)
  }
}

extension CaptureView {
  /// Begins to do what the view is for; a session's main view does it once.
  package func appear(in session: LockedCameraCaptureSession) throws {
    let environment = EnvironmentScope(session)
    try ViewContext(session: session, environment: environment).install(self)
    try session.runtime.settle()
  }
}
