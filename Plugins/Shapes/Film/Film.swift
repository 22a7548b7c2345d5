// SPDX-License-Identifier: Apache-2.0

import LockedCameraCapture

/// Records a film from one press of the shutter to the next, and closes it when the session ends before that.
@main
struct Film: LockedCameraCaptureExtension {
  /// The viewfinder and its buttons.
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      let recorder = FilmRecorder(session)
      return Viewfinder(.every) { frame in try recorder.film?.append(frame) }
        .onCameraCaptureEvent { event in
          guard event.phase == .began, event.button == .primary else { return }
          try recorder.toggle()
        }
        .onDismissal { (_: DismissalReason, _: Double) in recorder.stop() }
    }
  }
}
