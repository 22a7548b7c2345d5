// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import LockedCameraCapture

/// Writes two files for each press: the unchanged frame, and a JPEG for display.
///
/// The order is a guarantee for the importer: a JPEG never exists without its raw file. A single raw file is
/// therefore the only possible result of an interruption.
@main
struct RawPairs: LockedCameraCaptureExtension {
  /// The scene with the viewfinder and its buttons.
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      var count = 0
      return Viewfinder().onCameraCaptureEvent { event in
        guard event.phase == .began, event.button == .primary else { return }
        session.takePicture { frame in
          count += 1
          let name = "IMG_\(count)"
          let raw = RawFrame(frame)
          try session.writeContent(raw.bytes, to: "\(name).\(raw.type)")
          try session.writeContent(JPEGEncoder().encode(frame), to: "\(name).jpg")
          session.log(.info, "wrote the pair \(name)")
        }
      }
    }
  }
}
