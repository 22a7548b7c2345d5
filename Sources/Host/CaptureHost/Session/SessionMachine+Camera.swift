// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

extension SessionMachine {
  /// No more frames will come: the file has ended, or the camera has.
  ///
  /// A silent program sees the end of its standard input; one that talks may go on with what it has. The host's log gets
  /// `detail`, which names what an extension must not hear of: files and devices of the host, and who has them.
  package mutating func cameraEnded(
    _ reason: CameraEnding.Reason = .finished,
    because detail: String? = nil,
    now: UInt64
  ) -> [SessionAction] {
    let ending = CameraEnding(reason)
    isCameraRunning = false
    guard terms.conversation == .messages else { return [] }
    var actions = hideControls()
    if ending.reason == .finished {
      actions += tell(.cameraEnded(ending))
    } else {
      (wantsCamera, cameraLoss) = (false, ending)
      actions += cancelPresses(now) + tell(.cameraEnded(ending))
      // There is nothing left of which the extension could show anything.
      actions += disarmWatchdog(now)
    }
    return actions + [.log(.notice, detail ?? ending.message)]
  }

  /// The extension wants something set at the camera. What nobody may see through is not moved either, and whoever uses the
  /// camera is noted only from its start on.
  mutating func adjustCamera(_ wish: CameraWish, _ id: RequestID) -> [SessionAction] {
    guard phase == .running, isCameraRunning else {
      let text = "the camera can be set only while it runs; send camera/start first"
      return [.refuse(id, .cameraUnavailable, cameraLoss?.message ?? text)]
    }
    return [.adjustCamera(wish, id)]
  }

  /// The camera goes on with another rate.
  package func cameraChanged(_ rate: FrameRate) -> [SessionAction] {
    guard cameraLoss == nil else { return [] }
    return tell(.cameraChanged(CameraChange(frameRate: rate)))
  }
}
