// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

extension SessionMachine {
  /// Handles the end of the frames, because a file has ended or the camera was lost.
  ///
  /// A silent program reads the end of its standard input. An extension with messages may continue with the
  /// frames that it has. `detail` is written only to the log, because it names files, devices and users of
  /// the host.
  package mutating func cameraEnded(
    _ reason: CameraEndNotice.Reason = .finished,
    because detail: String? = nil,
    now: UInt64
  ) -> [SessionAction] {
    let ending = CameraEndNotice(reason)
    isCameraRunning = false
    guard terms.conversation == .messages else { return [] }
    var actions = hideControls()
    if ending.reason == .finished {
      actions += notify(.cameraEnded(ending))
    } else {
      (wantsCamera, cameraLoss) = (false, ending)
      actions += cancelPresses(now) + notify(.cameraEnded(ending))
      // The extension cannot show anything without a camera.
      actions += disarmWatchdog(now)
    }
    return actions + [.log(.notice, detail ?? ending.message)]
  }

  /// Handles a request about the camera's settings.
  ///
  /// Settings can be changed only while the camera runs. The extension may not move a camera that it may not
  /// use, and the use is recorded from the start.
  mutating func adjustCamera(_ request: CameraAdjustmentRequest, _ id: RequestID) -> [SessionAction] {
    guard phase == .running, isCameraRunning else {
      let text = "camera settings can be changed only while the camera runs; send camera/start first"
      return [.refuse(id, .cameraUnavailable, cameraLoss?.message ?? text)]
    }
    return [.adjustCamera(request, id)]
  }

  /// Handles a change of the frame rate.
  package func cameraChanged(_ rate: FrameRate) -> [SessionAction] {
    guard cameraLoss == nil else { return [] }
    return notify(.cameraChanged(CameraChange(frameRate: rate)))
  }
}
