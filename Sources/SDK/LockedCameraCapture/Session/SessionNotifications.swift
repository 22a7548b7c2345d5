// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension SessionRuntime {
  /// Handles a notification of the host.
  func handle(_ notification: HostNotification) {
    switch notification {
    case .captureEvent(let event):
      let event = AVCaptureEvent(event, in: self)
      for interaction in handlers.interactions { attempt { try interaction.deliver(event) } }
    case .pointerEvent(let event):
      let event = PointerEvent(event)
      for handler in handlers.pointer + handlers.viewPointers { attempt { try handler(event) } }
    case .contextChanged:
      // The connection has already recorded the new context.
      for handler in handlers.contextChanges { attempt(handler) }
    case .cameraEnded(let ending): cameraEnded(ending)
    case .cameraChanged(let change):
      var state = cameraState.value
      state.apply(change)
      cameraState.send(state)
    case .sessionWillDismiss(let notice): beginDismissal(notice)
    case .sceneChanged(let scene): self.scene = scene
    case .lockChanged(let state): lockState = LockState(state)
    case .permissionChanged(let permissions):
      self.permissions = SessionPermissions(permissions)
      // The host has stopped the frames; they do not resume automatically.
      if permissions.camera != .authorized { cameraStopped() }
      if permissions.microphone != .authorized { isMicrophoneRunning = false }
      CurrentSession.update(self.permissions, of: self)
    case .requirementsChanged(let status): requirements.send(CaptureRequirements(status))
    case .contentRoom(let room): contentRoom.send(SessionContentRoom(room))
    case .photosChanged: PHPhotoLibrary.shared().notifyObservers()
    case .controlsChanged(let change): controls.valueChanged(change, self)
    case .microphoneEnded(let ending): microphoneEnded(ending)
    case .controlsAppearance(let appearance): controls.appearanceChanged(appearance)
    }
  }

  /// Records the end of the camera.
  ///
  /// Frames of an ended video file that are still in the ring are delivered.
  private func cameraEnded(_ ending: CameraEndNotice) {
    if ending.reason != .finished { cameraStopped() }
    var state = cameraState.value
    state.apply(ending)
    cameraState.send(state)
  }

  /// Records the end of the microphone, after the sound in the ring has been delivered.
  private func microphoneEnded(_ ending: MicrophoneEndNotice) {
    do throws(ExtensionFailure) {
      while hasSound, failure == nil { try deliverSound() }
    } catch { failure = error }
    isMicrophoneRunning = false
    var state = microphone.value
    state?.apply(ending)
    microphone.send(state)
  }

  /// Sends a request without waiting for the reply; an error reply is logged.
  func send(_ request: ExtensionRequest) {
    guard failure == nil, !isClosed else { return }
    do throws(ExtensionFailure) {
      try connection.sendRequest(request) { outcome in
        if case .failure(let error)? = outcome {
          self.notify(
            .log(.error, LockedCameraCaptureSession.truncated("\(request.method.rawValue): \(error)"))
          )
        }
      }
    } catch {
      failure = error
    }
  }
}
