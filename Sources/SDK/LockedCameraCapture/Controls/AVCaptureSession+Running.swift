// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension AVCaptureSession {
  /// Whether the session was started and not stopped since.
  ///
  /// Without inputs and outputs, this property reports whether the camera was started, by any object of this
  /// class or by a ``Viewfinder``.
  public var isRunning: Bool { streams?.isRunning ?? CurrentSession.isCameraRunning }

  /// The streams from the inputs to the outputs, or `nil` without inputs and outputs.
  private var streams: (any CaptureStreams)? { attachment.current as? any CaptureStreams }

  /// Starts the delivery of frames, and waits for the reply of the host.
  ///
  /// If the host refuses, ``isRunning`` is `false` afterwards, and the session log contains the reason. The
  /// call blocks the calling thread only; it does not wait for the main thread.
  public func startRunning() {
    guard let session = CurrentSession.session, !isRunning else { return }
    if let streams { return streams.start(in: session) }
    do { try session.startCameraOnThisThread() } catch {
      session.logOnMainThread("the camera did not start: \(error)")
    }
  }

  /// Stops the delivery of frames, and waits for the reply of the host.
  ///
  /// The call blocks the calling thread only; it does not wait for the main thread.
  public func stopRunning() {
    guard let session = CurrentSession.session, isRunning else { return }
    if let streams { return streams.stop(in: session) }
    do { try session.stopCameraOnThisThread() } catch {
      session.logOnMainThread("the camera did not stop: \(error)")
    }
  }

  /// Applies the changes of inputs that wait for the end of a configuration.
  func configurationCommitted() {
    if let session = CurrentSession.session { streams?.commitConfiguration(in: session) }
  }
}

/// The streams from the inputs to the outputs of a capture session. Any thread may use them.
///
/// The module `AVFoundation` implements them.
package protocol CaptureStreams: AnyObject, Sendable {
  /// Whether the streams were started and not stopped since.
  var isRunning: Bool { get }

  /// Starts the devices of the inputs; logs and reports an error.
  func start(in session: LockedCameraCaptureSession)

  /// Stops the devices of the inputs; logs an error.
  func stop(in session: LockedCameraCaptureSession)

  /// Stops the devices whose inputs the committed configuration has removed; logs an error.
  func commitConfiguration(in session: LockedCameraCaptureSession)
}

extension LockedCameraCaptureSession {
  /// Starts the camera, and blocks the calling thread until the host has replied.
  package func startCameraOnThisThread() throws {
    if CurrentSession.isInMainQueue { return try MainActor.assumeIsolated { try startCamera() } }
    try requireCamera()
    _ = try callHost(.cameraStart(.latest), CameraStream.self) { $0.cameraStarted(.latest) }
  }

  /// Stops the camera, and blocks the calling thread until the host has replied.
  package func stopCameraOnThisThread() throws {
    if CurrentSession.isInMainQueue { return try MainActor.assumeIsolated { try stopCamera() } }
    _ = try callHost(.cameraStop, EmptyResult.self) { $0.cameraStopped() }
  }

  /// Returns the settings of the camera, and blocks the calling thread until the host has replied.
  package func cameraSettingsOnThisThread() throws -> [CameraSetting] {
    if CurrentSession.isInMainQueue { return try MainActor.assumeIsolated { try cameraSettings() } }
    return try callHost(.cameraSettings, CameraSettingsResult.self)?.settings.map(CameraSetting.init) ?? []
  }

  /// Changes a setting of the camera, and blocks the calling thread until the camera has replied.
  ///
  /// - Returns: The value that the camera has afterwards.
  package func setCameraOnThisThread(_ name: CameraSetting.Name, to value: Int) throws -> Int {
    if CurrentSession.isInMainQueue { return try MainActor.assumeIsolated { try setCamera(name, to: value) } }
    let request = CameraSettingRequest(name: name.rawValue, value: value)
    return try callHost(.cameraSet(request), CameraSettingResult.self) { $0.cameraSettingChanged() }?.value
      ?? value
  }

  /// Sends a request and waits for the reply; `effect` runs when the host has performed the request.
  ///
  /// - Returns: The result, or `nil` if the session has ended.
  /// - Throws: ``LockedCameraCaptureError`` if the host refuses the request.
  private func callHost<Result: WireValue>(
    _ request: ExtensionRequest,
    _ type: Result.Type,
    effect: @escaping @Sendable (SessionRuntime) -> Void = { _ in }
  ) throws -> Result? {
    do throws(CallFailure) {
      return try runtime.threadCalls.call(request, type) { [runtime] outcome in
        if case .success = outcome { effect(runtime) }
      }
    } catch {
      switch error {
      case .refused(let error): throw LockedCameraCaptureError(error)
      // The session has ended, and its log with it.
      case .connection: return nil
      }
    }
  }

  /// Writes an error to the session log, later if the caller does not run on the main thread.
  package func logOnMainThread(_ message: String) {
    if CurrentSession.isInMainQueue { return MainActor.assumeIsolated { log(.error, message) } }
    Task { @MainActor in log(.error, message) }
  }
}
