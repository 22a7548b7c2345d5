// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LockedCameraCapture

/// The camera controls of the extension, and the observer of the photo library.
@MainActor
final class ConformanceControls: @MainActor AVCaptureSessionControlsDelegate,
  @MainActor PHPhotoLibraryChangeObserver
{
  /// The session of this launch.
  private let session: LockedCameraCaptureSession
  private let camera = AVCaptureSession()
  private let zoom = AVCaptureSlider("Zoom", symbolName: "plus.magnifyingglass", in: 1...5, step: 0.5)
  private let filter = AVCaptureIndexPicker(
    "Filter",
    symbolName: "camera.filters",
    localizedIndexTitles: ["None", "Mono \"1\""]
  )

  /// Creates the controls without declaring them.
  init(_ session: LockedCameraCaptureSession) { self.session = session }

  /// The maximum number of controls.
  var maximumCount: Int { camera.maxControlsCount }

  /// Declares the controls.
  func declare() {
    zoom.localizedValueFormat = "%@×"
    zoom.prominentValues = [1, 2]
    zoom.setActionQueue(.main) { value in
      self.session.log(.info, "zoom \(ConformanceSubject.short(Double(value)))")
    }
    filter.setActionQueue(.main) { index in self.session.log(.info, "filter \(index)") }
    camera.beginConfiguration()
    for control in [zoom, filter] where camera.canAddControl(control) { camera.addControl(control) }
    camera.setControlsDelegate(self, queue: .main)
    camera.commitConfiguration()
  }

  func sessionControlsDidBecomeActive(_ session: AVCaptureSession) {
    self.session.log(.info, "controls active")
  }

  func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) {
    self.session.log(.info, "controls fullscreen")
  }

  func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) {
    self.session.log(.info, "controls active")
  }

  func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) {
    self.session.log(.info, "controls inactive")
  }

  func photoLibraryDidChange(_ changeInstance: PHChange) { session.log(.info, "photos changed") }
}
