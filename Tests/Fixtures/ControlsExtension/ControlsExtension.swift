// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import LockedCameraCapture

/// A capture extension that writes the adjusted camera controls to a file at each press.
@main
struct ControlsExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      let recorder = AdjustmentRecorder(session)
      return Viewfinder()
        .onCameraCaptureEvent { event in
          guard event.phase == .began else { return }
          try recorder.writeNotes()
        }
        .onAppear { recorder.addControls() }
    }
  }
}

/// Records the camera control changes that the user makes.
@MainActor
final class AdjustmentRecorder: @MainActor AVCaptureSessionControlsDelegate {
  private let session: LockedCameraCaptureSession
  private let camera = AVCaptureSession()
  private let zoom = AVCaptureSlider("Zoom", symbolName: "plus.magnifyingglass", in: 1...5, step: 0.5)
  private let filter = AVCaptureIndexPicker(
    "Filter",
    symbolName: "camera.filters",
    localizedIndexTitles: ["None", "Mono", "Very warm"]
  )
  private let filters = DispatchQueue(label: "filters")
  private var notes: [String] = []

  init(_ session: LockedCameraCaptureSession) { self.session = session }

  /// Adds the camera controls to the session.
  func addControls() {
    zoom.localizedValueFormat = "%@×"
    zoom.setActionQueue(.main) { value in
      self.notes.append("zoom \(value)")
      // The filter does not apply at high zoom levels.
      self.filter.isEnabled = value < 4
    }
    filter.setActionQueue(filters, action: action())
    camera.beginConfiguration()
    for control in [zoom, filter] where camera.canAddControl(control) { camera.addControl(control) }
    camera.setControlsDelegate(self, queue: .main)
    camera.commitConfiguration()
    // Restarts the camera like an app that does not use the viewfinder.
    camera.stopRunning()
    camera.startRunning()
    session.log(.info, "controls \(camera.controls.count) of \(camera.maxControlsCount), \(camera.isRunning)")
  }

  /// Returns the action for a new filter index, which runs on the extension's own queue, outside the main
  /// actor.
  private nonisolated func action() -> (Int) -> Void {
    { [camera] index in
      // The camera is already running: a redundant start from another queue must not block.
      camera.startRunning()
      Task { @MainActor in self.notes.append("filter \(index)") }
    }
  }

  /// Writes the recorded events and the current values to the session content.
  func writeNotes() throws {
    let text = (notes + ["is \(zoom.value) \(filter.selectedIndex)", ""]).joined(separator: "\n")
    try Data(text.utf8).write(to: session.sessionContentURL.appending(path: "notes"))
  }

  func sessionControlsDidBecomeActive(_ session: AVCaptureSession) { notes.append("active") }
  func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) { notes.append("enter") }
  func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) { notes.append("exit") }
  func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) { notes.append("inactive") }
}
