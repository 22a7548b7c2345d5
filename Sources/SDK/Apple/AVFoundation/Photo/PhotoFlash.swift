// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// The flash of photos: the torch of the camera, which is lit while requests wait for its light.
@MainActor
final class PhotoFlash {
  /// The number of frames for which the camera adjusts its exposure to the light.
  static let adjustmentFrames = 6

  /// The requests that wait for light, with the number of frames until their capture.
  private var waiting: [(request: PhotoRequest, frames: Int)] = []
  /// The requests that wait for their frame.
  private var lit: [PhotoRequest] = []

  nonisolated init() {}

  /// Returns whether the camera has a flash that can be used for a request with these settings.
  nonisolated static func isEnabled(for settings: AVCapturePhotoSettings) -> Bool {
    settings.flashMode == .on && AVCaptureDevice.default(for: .video)?.isFlashAvailable == true
  }

  /// Lights the torch for a request that uses the flash.
  ///
  /// - Returns: Whether the request must wait for ``frameArrived()``. It need not wait if the app has lit the torch before, or
  ///   if the camera refuses, which the session log then contains.
  func light(for request: PhotoRequest) -> Bool {
    guard request.resolved.isFlashEnabled, let camera = AVCaptureDevice.default(for: .video) else {
      return false
    }
    if waiting.isEmpty, lit.isEmpty {
      if camera.isTorchActive {
        request.setFlash(isLit: true)
        return false
      }
      camera.state.set(.torch, to: 1)
    }
    request.setFlash(isLit: camera.isTorchActive)
    if camera.isTorchActive { waiting.append((request, Self.adjustmentFrames)) }
    return camera.isTorchActive
  }

  /// Records a frame, and returns the requests that have waited long enough.
  func frameArrived() -> [PhotoRequest] {
    guard !waiting.isEmpty else { return [] }
    for index in waiting.indices { waiting[index].frames -= 1 }
    let ready = waiting.filter { $0.frames <= 0 }.map(\.request)
    waiting.removeAll { $0.frames <= 0 }
    lit += ready
    return ready
  }

  /// Records the end of a request, and turns off the torch after the last one.
  func finish(_ request: PhotoRequest) {
    let count = waiting.count + lit.count
    waiting.removeAll { $0.request === request }
    lit.removeAll { $0 === request }
    guard count > 0, waiting.isEmpty, lit.isEmpty else { return }
    AVCaptureDevice.default(for: .video)?.state.turnOffTorch()
  }
}
