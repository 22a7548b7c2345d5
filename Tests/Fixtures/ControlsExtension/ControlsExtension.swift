// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import LockedCameraCapture

/// A capture extension that writes down what the person has adjusted, at each press.
@main
struct ControlsExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      let desk = Desk(session)
      return Viewfinder()
        .onCameraCaptureEvent { event in
          guard event.phase == .began else { return }
          try desk.writeDown()
        }
        .onAppear { desk.addControls() }
    }
  }
}

/// What the person has adjusted.
@MainActor
final class Desk: @MainActor AVCaptureSessionControlsDelegate {
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

  /// Gives the person their controls.
  func addControls() {
    zoom.localizedValueFormat = "%@×"
    zoom.setActionQueue(.main) { value in
      self.notes.append("zoom \(value)")
      // A filter for the sky makes no sense there.
      self.filter.isEnabled = value < 4
    }
    filter.setActionQueue(filters, action: action())
    camera.beginConfiguration()
    for control in [zoom, filter] where camera.canAddControl(control) { camera.addControl(control) }
    camera.setControlsDelegate(self, queue: .main)
    camera.commitConfiguration()
    // Once more, as an app does that knows nothing of the viewfinder.
    camera.stopRunning()
    camera.startRunning()
    session.log(.info, "controls \(camera.controls.count) of \(camera.maxControlsCount), \(camera.isRunning)")
  }

  /// What a queue of the extension's own does with another filter; nothing of the main actor's.
  private nonisolated func action() -> (Int) -> Void {
    { [camera] index in
      // It runs already: that it is asked for elsewhere must hold up nobody.
      camera.startRunning()
      Task { @MainActor in self.notes.append("filter \(index)") }
    }
  }

  /// Writes down what has happened, and the values as they are.
  func writeDown() throws {
    let text = (notes + ["is \(zoom.value) \(filter.selectedIndex)", ""]).joined(separator: "\n")
    try Data(text.utf8).write(to: session.sessionContentURL.appending(path: "notes"))
  }

  func sessionControlsDidBecomeActive(_ session: AVCaptureSession) { notes.append("active") }
  func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) { notes.append("enter") }
  func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) { notes.append("exit") }
  func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) { notes.append("inactive") }
}
