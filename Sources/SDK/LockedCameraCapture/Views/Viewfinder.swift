// SPDX-License-Identifier: Apache-2.0

/// A view that starts the camera and draws its frames.
///
/// The frames are copied into the ring from which the host shows the viewfinder; ``Overlay`` views draw over
/// them. A viewfinder with ``CaptureView/onCameraCaptureEvent(isEnabled:action:)`` meets all requirements of
/// the watchdog. The camera continues when the view leaves the tree; ``LockedCameraCaptureSession/stopCamera()`` stops the
/// camera.
public struct Viewfinder: CaptureView, BuiltInView {
  private let delivery: FrameDelivery
  private let frame: ((borrowing CaptureFrame) throws -> Void)?

  /// Creates a viewfinder.
  ///
  /// - Parameters:
  ///   - delivery: Which frames to deliver.
  ///   - frame: A handler for each frame, called in the main actor. The pixels are valid only during the
  ///     call.
  public init(
    _ delivery: FrameDelivery = .latest,
    frame: ((borrowing CaptureFrame) throws -> Void)? = nil
  ) {
    self.delivery = delivery
    self.frame = frame
  }

  package func update(_ node: ViewNode) throws {
    node.frameHandler = frame
    node.layer = .cameraFrame
    node.graph.needsLayers = true
    let session = node.graph.session
    guard session.runtime.delivery != delivery else { return }
    try session.requestCameraForScene(delivery)
  }
}

/// A view that draws over the views below it, once for each frame.
public struct Overlay: CaptureView, BuiltInView {
  private let drawing: (inout PreviewCanvas) throws -> Void

  /// Creates an overlay.
  ///
  /// - Parameter drawing: The closure that draws, called in the main actor for each frame that is shown.
  ///   Errors that it throws are logged; the frame is shown with the parts drawn so far. It is not called if
  ///   the host shows no viewfinder.
  public init(_ drawing: @escaping (inout PreviewCanvas) throws -> Void) { self.drawing = drawing }

  package func update(_ node: ViewNode) throws {
    node.layer = .drawing(drawing)
    node.graph.needsLayers = true
  }
}
