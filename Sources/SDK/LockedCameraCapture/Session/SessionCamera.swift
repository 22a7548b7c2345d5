// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// Starts the delivery of frames to the handlers of ``onFrame(_:)``.
  ///
  /// The call blocks until the host has replied.
  ///
  /// - Parameter delivery: Which frames to deliver.
  /// - Throws: ``LockedCameraCaptureError``: `cameraUnavailable` if the session has no camera or the camera
  ///   has failed, `permissionDenied` if the user or the app has not granted permission.
  @MainActor
  public func startCamera(_ delivery: FrameDelivery = .latest) throws {
    try requireCamera()
    _ = try runtime.request(.cameraStart(delivery.protocolValue), CameraStream.self)
    runtime.cameraStarted(delivery)
  }

  /// Requests the camera while the scene is created; ``SessionRuntime/awaitSceneReplies()`` waits for the reply.
  @MainActor
  func requestCameraForScene(_ delivery: FrameDelivery) throws {
    try requireCamera()
    let (runtime, former) = (runtime, runtime.delivery)
    try runtime.addSceneRequest(.cameraStart(delivery.protocolValue)) {
      if let former { runtime.cameraStarted(former) } else { runtime.cameraStopped() }
    }
    runtime.cameraStarted(delivery)
  }

  /// Throws an error unless the session has a camera.
  func requireCamera() throws {
    guard runtime.hasCamera else {
      throw LockedCameraCaptureError(
        .cameraUnavailable,
        "this session has no camera; add \"camera\" to \"usageDescriptions\" of the app and of the extension"
      )
    }
  }

  /// Stops the delivery of frames.
  ///
  /// The call blocks until the host has replied.
  ///
  /// - Throws: ``LockedCameraCaptureError`` if the session has ended.
  @MainActor
  public func stopCamera() throws {
    _ = try runtime.request(.cameraStop, EmptyResult.self)
    runtime.cameraStopped()
  }

  /// Returns the settings of the camera with their current values.
  ///
  /// The result is empty for a camera without settings, such as a video file.
  ///
  /// - Throws: ``LockedCameraCaptureError``: `cameraUnavailable` unless the camera runs
  ///   (``startCamera(_:)``).
  @MainActor
  public func cameraSettings() throws -> [CameraSetting] {
    try runtime.request(.cameraSettings, CameraSettingsResult.self).settings.map(CameraSetting.init)
  }

  /// Changes a setting of the camera.
  ///
  /// The value lasts until the session ends or the camera is removed; then the earlier value is restored. The
  /// call blocks until the camera has replied.
  ///
  /// - Parameters:
  ///   - name: The setting.
  ///   - value: The value, within ``CameraSetting/range``.
  /// - Returns: The value that the camera has afterwards; the driver may have rounded it.
  /// - Throws: ``LockedCameraCaptureError``: `cameraUnavailable` unless the camera runs; `invalidSetting` if
  ///   the camera lacks the setting, if the value is out of range, or if the camera controls the setting
  ///   automatically.
  @MainActor
  @discardableResult
  public func setCamera(_ name: CameraSetting.Name, to value: Int) throws -> Int {
    let request = CameraSettingRequest(name: name.rawValue, value: value)
    let result = try runtime.request(.cameraSet(request), CameraSettingResult.self).value
    runtime.cameraSettingChanged()
    return result
  }

  /// Calls `handler` for each frame from now on, in the main actor.
  ///
  /// Errors that it throws are logged. The pixels of the frame are valid only during the call.
  @MainActor
  public func onFrame(_ handler: @escaping (borrowing CaptureFrame) throws -> Void) {
    runtime.handlers.frames.append(handler)
  }

  /// Calls `handler` once, in the main actor, with a copy of the newest frame.
  ///
  /// It is called at once if there is a frame, otherwise with the first frame. Errors that it throws are
  /// logged.
  @MainActor
  public func takePicture(_ handler: @escaping (borrowing CaptureFrame) throws -> Void) {
    runtime.pendingPictures.append(handler)
    runtime.deliverPendingPictures()
  }
}
