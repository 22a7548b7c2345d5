// SPDX-License-Identifier: Apache-2.0

/// Content of a scene; there is no toolkit, so it may be anything that knows what to do in a session.
@MainActor
public protocol CaptureView {
  /// Called once, before anything happens in the session.
  func appear(in session: LockedCameraCaptureSession) throws
}

/// A view that asks for the camera's frames.
public struct Viewfinder: CaptureView {
  private let delivery: FrameDelivery
  private let frame: ((borrowing CaptureFrame) throws -> Void)?

  /// Makes a viewfinder; `frame` is called for each frame, and its pixels are valid only during the call.
  public init(
    _ delivery: FrameDelivery = .latest,
    frame: ((borrowing CaptureFrame) throws -> Void)? = nil
  ) {
    self.delivery = delivery
    self.frame = frame
  }

  /// Starts the camera.
  public func appear(in session: LockedCameraCaptureSession) throws {
    if let frame { session.onFrame(frame) }
    try session.startCamera(delivery)
  }
}

/// A view and something more.
private struct ModifiedView<Base: CaptureView>: CaptureView {
  let base: Base
  let more: @MainActor (LockedCameraCaptureSession) throws -> Void

  func appear(in session: LockedCameraCaptureSession) throws {
    try base.appear(in: session)
    try more(session)
  }
}

extension CaptureView {
  /// Calls `action` when a capture button moves.
  public func onCameraCaptureEvent(
    action: @escaping (AVCaptureEvent) throws -> Void
  ) -> some CaptureView {
    ModifiedView(base: self) { session in
      try session.addInteraction(AVCaptureEventInteraction(handler: action))
    }
  }

  /// Calls an action for each capture button.
  public func onCameraCaptureEvent(
    primaryAction: @escaping (AVCaptureEvent) throws -> Void,
    secondaryAction: @escaping (AVCaptureEvent) throws -> Void
  ) -> some CaptureView {
    ModifiedView(base: self) { session in
      try session.addInteraction(
        AVCaptureEventInteraction(primary: primaryAction, secondary: secondaryAction)
      )
    }
  }

  /// Calls `action` before the session ends.
  public func onDismissal(_ action: @escaping (DismissalReason, Double) throws -> Void) -> some CaptureView {
    ModifiedView(base: self) { session in session.onDismissal(action) }
  }
}
