// SPDX-License-Identifier: Apache-2.0

/// What is done when a capture button moves; add it to a ``LockedCameraCaptureSession``.
///
/// A handler may throw: the error goes to the session's log, and the session goes on.
@MainActor
public final class AVCaptureEventInteraction {
  /// What is done with an event.
  public typealias Handler = (AVCaptureEvent) throws -> Void

  /// Whether the handlers are called.
  public var isEnabled = true
  private let primary: Handler
  private let secondary: Handler

  /// One handler for both buttons.
  public init(handler: @escaping Handler) {
    primary = handler
    secondary = handler
  }

  /// A handler for each button.
  public init(primary: @escaping Handler, secondary: @escaping Handler) {
    self.primary = primary
    self.secondary = secondary
  }

  func deliver(_ event: AVCaptureEvent) throws {
    guard isEnabled else { return }
    switch event.button {
    case .primary: try primary(event)
    case .secondary: try secondary(event)
    }
  }
}
