// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension AVCaptureSession {
  /// Whether the camera was started, by this object, by another one or by a ``Viewfinder``, and not stopped
  /// since.
  public var isRunning: Bool { CurrentSession.isCameraRunning }

  /// Starts the delivery of frames, and waits for the reply of the host.
  ///
  /// If the host refuses, ``isRunning`` is `false` afterwards, and the session log contains the reason. The
  /// call blocks the calling thread only; it does not wait for the main thread.
  public func startRunning() {
    guard let session = CurrentSession.session, !isRunning else { return }
    do { try session.startCameraOnThisThread() } catch {
      session.logOnMainThread("the camera did not start: \(error)")
    }
  }

  /// Stops the delivery of frames, and waits for the reply of the host.
  ///
  /// The call blocks the calling thread only; it does not wait for the main thread.
  public func stopRunning() {
    guard let session = CurrentSession.session, isRunning else { return }
    do { try session.stopCameraOnThisThread() } catch {
      session.logOnMainThread("the camera did not stop: \(error)")
    }
  }
}

extension LockedCameraCaptureSession {
  /// Starts the camera, and blocks the calling thread until the host has replied.
  fileprivate func startCameraOnThisThread() throws {
    if CurrentSession.isInMainQueue { return try MainActor.assumeIsolated { try startCamera() } }
    try requireCamera()
    try callHost(.cameraStart(.latest), CameraStream.self) { $0.cameraStarted(.latest) }
  }

  /// Stops the camera, and blocks the calling thread until the host has replied.
  fileprivate func stopCameraOnThisThread() throws {
    if CurrentSession.isInMainQueue { return try MainActor.assumeIsolated { try stopCamera() } }
    try callHost(.cameraStop, EmptyResult.self) { $0.cameraStopped() }
  }

  /// Sends a request and waits for the reply; `effect` runs when the host has performed the request.
  ///
  /// - Throws: ``LockedCameraCaptureError`` if the host refuses the request.
  private func callHost<Result: WireValue>(
    _ request: ExtensionRequest,
    _ type: Result.Type,
    effect: @escaping @Sendable (SessionRuntime) -> Void
  ) throws {
    do throws(CallFailure) {
      _ = try runtime.threadCalls.call(request, type) { [runtime] outcome in
        if case .success = outcome { effect(runtime) }
      }
    } catch {
      switch error {
      case .refused(let error): throw LockedCameraCaptureError(error)
      // The session has ended, and its log with it.
      case .connection: return
      }
    }
  }

  /// Writes an error to the session log, later if the caller does not run on the main thread.
  fileprivate func logOnMainThread(_ message: String) {
    if CurrentSession.isInMainQueue { return MainActor.assumeIsolated { log(.error, message) } }
    Task { @MainActor in log(.error, message) }
  }
}
