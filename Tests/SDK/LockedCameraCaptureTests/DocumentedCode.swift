// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LockedCameraCapture

// The code of the articles. `DocumentedCodeTests` compares it with them.

struct CameraView: View {
  let session: LockedCameraCaptureSession
  @Environment(\.scenePhase) private var scenePhase
  @Environment(\.lockState) private var lockState

  var body: some View {
    Viewfinder()
      .overlay {
        Overlay { canvas in
          guard lockState == .locked else { return }
          canvas.stroke(PixelRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), .red)
        }
      }
      .onCameraCaptureEvent(isEnabled: scenePhase == .active) { event in
        guard event.phase == .began else { return }
        session.takePicture { frame in session.log(.info, "frame \(frame.sequence)") }
      }
      .onChange(of: scenePhase) { old, new in session.log(.debug, "\(old), then \(new)") }
  }
}

@MainActor
final class Film {
  var isRecording = false
}

struct FilmView: View {
  let film: Film

  var body: some View {
    Viewfinder()
      .onCameraCaptureEvent(defaultSoundDisabled: true) { event in
        guard event.phase == .began else { return }
        film.isRecording.toggle()
        event.play(film.isRecording ? .beginVideoRecording : .endVideoRecording)
      }
  }
}

@MainActor
func open(_ session: LockedCameraCaptureSession, picture: String) {
  Task {
    do {
      let activity = NSUserActivity(activityType: NSUserActivityTypeLockedCameraCapture)
      activity.userInfo = ["picture": picture]
      try await session.openApplication(for: activity)
    } catch let error as LockedCameraCaptureSession.ApplicationLaunchError {
      session.log(.notice, error.failureReason ?? "")
    } catch {
      session.log(.error, "\(error)")
    }
  }
}

struct AdjustableCamera: View {
  let session: LockedCameraCaptureSession
  let look = Look()

  var body: some View {
    Viewfinder()
      .overlay {
        Overlay { canvas in
          guard !look.isCovered else { return }
          canvas.fill(PixelRectangle(x: 0, y: 0, width: Int(look.zoom * 4), height: 2), .red)
        }
      }
      .onAppear { look.addControls() }
  }
}

@MainActor
final class Look: @MainActor AVCaptureSessionControlsDelegate {
  let camera = AVCaptureSession()
  var zoom: Float = 1
  var filter = 0
  var isCovered = false

  func addControls() {
    guard camera.supportsControls else { return }
    let zoom = AVCaptureSlider("Zoom", symbolName: "plus.magnifyingglass", in: 1...5, step: 0.5)
    zoom.localizedValueFormat = "%@×"
    zoom.setActionQueue(.main) { self.zoom = $0 }
    let filter = AVCaptureIndexPicker(
      "Filter",
      symbolName: "camera.filters",
      localizedIndexTitles: ["None", "Mono"]
    )
    filter.setActionQueue(.main) { self.filter = $0 }
    camera.beginConfiguration()
    for control in [zoom, filter] where camera.canAddControl(control) { camera.addControl(control) }
    camera.setControlsDelegate(self, queue: .main)
    camera.commitConfiguration()
  }

  func sessionControlsDidBecomeActive(_ session: AVCaptureSession) {}
  func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) { isCovered = true }
  func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) { isCovered = false }
  func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) {}
}
