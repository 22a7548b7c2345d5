// SPDX-License-Identifier: Apache-2.0

import LockedCameraCapture

/// The encoding of a frame as a YUV4MPEG2 file with one picture: lossless, and supported by common video
/// tools.
enum RawFrame {
  /// Returns the bytes of the file.
  static func file(of frame: borrowing CaptureFrame) -> [UInt8] {
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
