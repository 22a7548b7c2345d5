// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import LockedCameraCapture

/// Keeps two files a press: the frame as the camera gave it, and a JPEG for whoever only wants to look.
///
/// The order is a promise to the importer: a JPEG is never there without its raw file, so that a raw file alone is what
/// an interruption has left, and nothing else is.
@main
struct RawPairs: LockedCameraCaptureExtension {
  /// The viewfinder and its buttons.
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      var count = 0
      return Viewfinder().onCameraCaptureEvent { event in
        guard event.phase == .began, event.button == .primary else { return }
        session.takePicture { frame in
          count += 1
          let name = "IMG_\(count)"
          try session.writeContent(RawFrame.file(of: frame), to: "\(name).y4m")
          try session.writeContent(JPEGEncoder().encode(frame), to: "\(name).jpg")
          session.log(.info, "wrote the pair \(name)")
        }
      }
    }
  }
}
