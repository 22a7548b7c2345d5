// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

extension SessionMachine {
  /// What is said of a film that is over.
  package static let filmIsOver = CameraEnding(.finished, "the camera has no more frames")

  /// No more frames will come: the file has ended, or the camera has.
  ///
  /// A silent program sees the end of its standard input; one that talks may go on with what it has.
  package mutating func cameraEnded(_ ending: CameraEnding = filmIsOver, now: UInt64) -> [SessionAction] {
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
    return actions + [.log(.notice, ending.message)]
  }

  /// The camera goes on with another rate.
  package func cameraChanged(_ rate: FrameRate) -> [SessionAction] {
    guard cameraLoss == nil else { return [] }
    return tell(.cameraChanged(CameraChange(frameRate: rate)))
  }
}
