// SPDX-License-Identifier: Apache-2.0

/// A part of a capture extension's user interface, composed of other views; ``View`` is an alias with
/// SwiftUI's name.
///
/// A view declares the frames that are drawn into the viewfinder, the overlays, and the handlers of events. The library
/// evaluates ``body`` at the start of the session, and again after an event that changes a value that the body has read: a
/// ``State``, an ``Environment`` value, or an object of the module `Observation`. Views that become part of the tree subscribe
/// their handlers; views that leave the tree lose them. The module `SwiftUI` adds views with a layout.
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
package protocol BuiltInView: CaptureView where Body == Never {
  /// Sets the content of the view's place in the tree, and starts or updates the behavior of the view.
  ///
  /// - Parameter node: The place, which keeps its storage and children from the last evaluation.
  /// - Throws: An error that prevents the presentation of the scene, or is logged after the presentation.
  func update(_ node: ViewNode) throws
}

extension BuiltInView {
  /// Never returns; the library does not evaluate it.
  public var body: Never { fatalError("the body of \(Self.self) is never evaluated") }
}

extension CaptureView {
  /// Installs the main view of a session; called before the session handles events.
  ///
  /// - Parameter session: The session.
  /// - Throws: The error that prevents the presentation of the view.
  package func appear(in session: LockedCameraCaptureSession) throws {
    let graph = session.runtime.views ?? ViewGraph(session)
    session.runtime.views = graph
    try graph.present(self)
  }
}
