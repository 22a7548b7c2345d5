// SPDX-License-Identifier: Apache-2.0

import LockedCameraCapture

/// Records a video between two presses of the shutter button, and closes its file if the session ends during
/// a recording.
@main
struct Film: LockedCameraCaptureExtension {
  /// The scene with the viewfinder and its buttons.
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      let recorder = VideoRecorder(session)
      return Viewfinder(.every) { frame in try recorder.video?.append(frame) }
        .onCameraCaptureEvent { event in
          guard event.phase == .began, event.button == .primary else { return }
          try recorder.toggle()
        }
        .onDismissal { (_: DismissalReason, _: Double) in recorder.stop() }
    }
  }
}
