// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension SessionRuntime {
  /// Does what the host has told.
  func handle(_ notification: HostNotification) {
    switch notification {
    case .captureEvent(let event):
      let event = AVCaptureEvent(event, in: self)
      for interaction in handlers.interactions { attempt { try interaction.deliver(event) } }
    case .contextChanged:
      // The connection knows it already.
      for handler in handlers.contextChanges { attempt(handler) }
    case .cameraEnded(let ending): cameraEnded(ending)
    case .cameraChanged(let change):
      var state = cameraState.value
      state.note(change)
      cameraState.send(state)
    case .sessionWillDismiss(let notice): beginEnding(notice)
    case .sceneChanged(let scene): self.scene = scene
    case .lockChanged(let state): lockState = LockState(state)
    case .permissionChanged(let permissions):
      self.permissions = SessionPermissions(permissions)
      // Frames have stopped, and do not come back by themselves.
      if permissions.camera != .authorized { delivery = nil }
      if permissions.microphone != .authorized { isHearing = false }
      CurrentSession.update(self.permissions, of: self)
    case .requirementsChanged(let status): requirements.send(CaptureRequirements(status))
    case .contentRoom(let room): contentRoom.send(SessionContentRoom(room))
    case .photosChanged: PHPhotoLibrary.shared().changed()
    case .controlsChanged(let change): controls.changed(change, self)
    case .microphoneEnded(let ending): microphoneEnded(ending)
    case .controlsAppearance(let appearance): controls.appeared(appearance)
    }
  }

  /// No more frames come. What a film has left in the ring is still shown.
  private func cameraEnded(_ ending: CameraEnding) {
    if ending.reason != .finished { delivery = nil }
    var state = cameraState.value
    state.note(ending)
    cameraState.send(state)
  }

  /// No more sound comes. What is in the ring is still heard.
  private func microphoneEnded(_ ending: MicrophoneEnding) {
    do throws(ExtensionFailure) {
      while hasSound, failure == nil { try deliverSound() }
    } catch { failure = error }
    isHearing = false
    var state = microphone.value
    state?.note(ending)
    microphone.send(state)
  }

  /// Sends a request that nobody waits for; a refusal goes to the log.
  func send(_ request: ExtensionRequest) {
    guard failure == nil, !isOver else { return }
    do throws(ExtensionFailure) {
      try connection.ask(request) { outcome in
        if case .failure(let error)? = outcome {
          self.tell(.log(.error, LockedCameraCaptureSession.cut("\(request.method.rawValue): \(error)")))
        }
      }
    } catch {
      failure = error
    }
  }
}
