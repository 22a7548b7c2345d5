// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import LockedCameraCapture

/// A file with a frame as the camera delivered it.
struct RawFrame {
  /// The file name extension.
  let type: String
  /// The bytes of the file.
  let bytes: [UInt8]

  /// Encodes a frame: as a DNG file with the samples of the sensor, or if the camera does not deliver them, as a YUV4MPEG2 file
  /// with one picture, which is lossless, too.
  init(_ frame: borrowing CaptureFrame) {
    if let samples = DNGEncoder().encode(frame, describedBy: PhotoDescription()) {
      (type, bytes) = ("dng", samples)
    } else {
      (type, bytes) = ("y4m", Self.picture(frame))
    }
  }

  /// Returns the bytes of a YUV4MPEG2 file.
  private static func picture(_ frame: borrowing CaptureFrame) -> [UInt8] {
    var bytes = Array("YUV4MPEG2 W\(frame.width) H\(frame.height) F1:1 Ip C420jpeg\nFRAME\n".utf8)
    for plane in CaptureFrame.Plane.allCases {
      let layout = frame.layout(of: plane)
      frame.withPlane(plane) { samples in
        samples.withUnsafeBytes { samples in
          for row in 0..<layout.height {
            bytes.append(contentsOf: samples[row * layout.stride..<row * layout.stride + layout.width])
          }
        }
      }
    }
    return bytes
  }
}
