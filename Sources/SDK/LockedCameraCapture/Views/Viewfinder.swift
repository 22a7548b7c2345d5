// SPDX-License-Identifier: Apache-2.0

/// A view that starts the camera and draws what it sees.
///
/// The frames are copied into the ring from which the host shows the viewfinder; ``Overlay`` views draw over them. With
/// ``CaptureView/onCameraCaptureEvent(isEnabled:action:)`` it is all that the watchdog wants.
public struct Viewfinder: CaptureView, BuiltInView {
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

  func install(in context: ViewContext) throws {
    let session = context.session
    if let frame { session.onFrame(frame) }
    session.runtime.layers.append { canvas, frame in canvas.draw(frame) }
    try session.demandCamera(delivery)
  }
}

/// A view that draws over what is below it, once for each frame.
public struct Overlay: CaptureView, BuiltInView {
  private let drawing: (inout PreviewCanvas) throws -> Void

  /// Makes an overlay; `drawing` is called for each frame that is shown, and reads then whatever it depends on.
  ///
  /// What it throws goes to the log, and the frame is shown as far as it is drawn. Nothing is drawn if the host shows no
  /// viewfinder.
  public init(_ drawing: @escaping (inout PreviewCanvas) throws -> Void) { self.drawing = drawing }

  func install(in context: ViewContext) throws {
    context.session.runtime.layers.append { canvas, _ in try drawing(&canvas) }
  }
}
