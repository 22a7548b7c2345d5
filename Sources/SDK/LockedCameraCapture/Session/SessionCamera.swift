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

  /// What the camera of this session can be set to, with the values of now; empty for one that can't be set, as a film.
  ///
  /// Throws ``LockedCameraCaptureError``: `cameraUnavailable` unless the camera runs (``startCamera(_:)``).
  @MainActor
  public func cameraSettings() throws -> [CameraSetting] {
    try runtime.request(.cameraSettings, CameraSettingsResult.self).settings.map(CameraSetting.init)
  }

  /// Sets something at the camera, and gives the value that it has then, which a driver may have rounded.
  ///
  /// It stays so until the session ends, or the camera is taken away; then everything is as it was before the session. It
  /// waits for the camera, which may take a moment.
  ///
  /// Throws ``LockedCameraCaptureError``: `cameraUnavailable` unless the camera runs, `invalidSetting` if the camera does not
  /// have it, if the value is outside its range, or if an automatic sets it.
  @MainActor
  @discardableResult
  public func setCamera(_ name: CameraSetting.Name, to value: Int) throws -> Int {
    let wish = CameraSettingWish(name: name.rawValue, value: value)
    return try runtime.request(.cameraSet(wish), CameraSettingResult.self).value
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
