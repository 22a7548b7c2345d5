// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import LockedCameraCapture

/// Takes a picture at each press of the shutter button.
@main
struct Snapshot: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      var count = 0
      return Viewfinder().onCameraCaptureEvent { event in
        guard event.phase == .began, event.button == .primary else { return }
        session.takePicture { frame in
          count += 1
          let name = "photo-\(count).jpg"
          try session.writeContent(JPEGEncoder().encode(frame), to: name)
          session.log(.info, "wrote \(name), frame \(frame.sequence)")
        }
      }
    }
  }
}
