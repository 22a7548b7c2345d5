// SPDX-License-Identifier: Apache-2.0

internal import CoreMedia
internal import Foundation
internal import LockedCameraCapture

// Frames, sound and events of the session.
extension CaptureGraph: SessionObserver {
  /// Receives the frames, the sound and the events of a session from now on.
  @MainActor
  func observe(_ session: LockedCameraCaptureSession) {
    guard source !== session else { return }
    source = session
    frameDuration = SessionDeviceList.current.first { $0.mediaType == .video }?.activeVideoMinFrameDuration
    session.add(self)
  }

  @MainActor
  func receive(_ frame: borrowing CaptureFrame, of session: LockedCameraCaptureSession) {
    guard isRunning else { return }
    let buffer = CVPixelBuffer(frame.alias(), of: session)
    let sample = CMSampleBuffer(buffer, nanoseconds: frame.timestamp, duration: frameDuration ?? .invalid)
    for output in outputs {
      if let connection = output.enabledConnection(with: .video) { output.receive(sample, connection) }
    }
  }

  @MainActor
  func receive(_ sound: SoundBlock) {
    guard isRunning else { return }
    let sample = CMSampleBuffer(sound)
    for output in outputs {
      if let connection = output.enabledConnection(with: .audio) { output.receiveSound(sample, connection) }
    }
  }

  @MainActor
  func finishWork() async {
    if isRunning { interrupt() }
    for output in outputs { await output.finishWork() }
  }

  /// Ends the streams if the camera has ended, the permission was revoked or the session is in the background.
  @MainActor
  func handleEvent(of session: LockedCameraCaptureSession) {
    guard isRunning, !isChanging else { return }
    if session.scenePhase == .background { return interrupt() }
    guard hasInput(.video), !CurrentSession.isCameraRunning else { return }
    if session.permissions.camera != .authorized {
      fail(AVError(.applicationIsNotAuthorizedToUseDevice))
    } else if let reason = session.currentCameraState.endReason {
      if reason == .unplugged { disconnect() }
      fail(AVError(reason, session.currentCameraState.endMessage))
    } else {
      // Another object has stopped the camera.
      _ = setRunning(false)
      streamsEnded(nil)
    }
  }

  /// Marks the camera as removed, and notifies the observers.
  @MainActor
  private func disconnect() {
    for device in inputs.compactMap({ ($0 as? AVCaptureDeviceInput)?.device })
    where device.hasMediaType(.video) {
      device.state.isConnected = false
      NotificationCenter.default.post(name: AVCaptureDevice.wasDisconnectedNotification, object: device)
    }
  }

  /// Ends the streams because of an error.
  @MainActor
  func fail(_ error: AVError) {
    if setRunning(false) { streamsEnded(error) }
    post(AVCaptureSession.runtimeErrorNotification, [AVCaptureSessionErrorKey: error])
  }

  /// Ends the streams because the session is no longer in the foreground.
  @MainActor
  private func interrupt() {
    setInterrupted()
    let reason = AVCaptureSession.InterruptionReason.videoDeviceNotAvailableInBackground
    streamsEnded(AVError(.sessionWasInterrupted))
    post(
      AVCaptureSession.wasInterruptedNotification,
      [AVCaptureSessionInterruptionReasonKey: reason.rawValue]
    )
  }

  /// Notifies the outputs and the observers of the end of the streams.
  @MainActor
  func streamsEnded(_ error: AVError?) {
    for output in outputs { output.streamsEnded(error) }
    post(AVCaptureSession.didStopRunningNotification)
  }

  /// Posts a notification of the session.
  @MainActor
  func post(_ name: Notification.Name, _ userInfo: [String: Any] = [:]) {
    guard let owner else { return }
    NotificationCenter.default.post(name: name, object: owner, userInfo: userInfo)
  }
}

extension AVError {
  /// Creates the error for the end of the camera.
  fileprivate init(_ reason: SessionCameraState.EndReason, _ message: String?) {
    let code: Code =
      switch reason {
      case .unplugged: .deviceWasDisconnected
      case .formatChanged: .sessionConfigurationChanged
      case .finished, .failed: .deviceNotConnected
      }
    if let message { self.init(code, message) } else { self.init(code) }
  }
}
