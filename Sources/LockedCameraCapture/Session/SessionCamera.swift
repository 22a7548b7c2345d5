// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// Lets frames flow to the handlers of ``onFrame(_:)``, and waits until the host has said so.
  ///
  /// Throws ``LockedCameraCaptureError``: `cameraUnavailable` if the session has no camera or it has failed,
  /// `permissionDenied` if the person or the app has not allowed it.
  @MainActor
  public func startCamera(_ delivery: FrameDelivery = .latest) throws {
    try requireCamera()
    _ = try runtime.request(.cameraStart(delivery.wire), CameraStream.self)
    runtime.cameraStarted(delivery)
  }

  /// The same while the scene is made, with everything else that it asks for.
  @MainActor
  func demandCamera(_ delivery: FrameDelivery) throws {
    try requireCamera()
    try runtime.demand(.cameraStart(delivery.wire))
    runtime.cameraStarted(delivery)
  }

  /// Throws unless the session has a camera.
  @MainActor
  private func requireCamera() throws {
    guard runtime.ring != nil else {
      throw LockedCameraCaptureError(
        .cameraUnavailable,
        "this session has no camera; add \"camera\" to \"usageDescriptions\" of the app and of the extension"
      )
    }
  }

  /// Lets no more frames flow.
  @MainActor
  public func stopCamera() throws {
    _ = try runtime.request(.cameraStop, Nothing.self)
    runtime.delivery = nil
  }

  /// Calls `handler` for the frames that come from now on. What it throws goes to the log.
  @MainActor
  public func onFrame(_ handler: @escaping (borrowing CaptureFrame) throws -> Void) {
    runtime.handlers.frames.append(handler)
  }

  /// Calls `handler` once, with a copy of the newest frame: at once if there is one, else of the first that comes.
  @MainActor
  public func takePicture(_ handler: @escaping (borrowing CaptureFrame) throws -> Void) {
    runtime.pictures.append(handler)
    runtime.developPictures()
  }
}

extension SessionRuntime {
  /// Frames flow from now on.
  fileprivate func cameraStarted(_ delivery: FrameDelivery) {
    self.delivery = delivery
    needsPresentation = true
  }
}
