// SPDX-License-Identifier: Apache-2.0

import LockedCameraCapture

/// A frame as a YUV4MPEG2 file of one picture: no sample is changed, and every video tool reads it.
enum RawFrame {
  /// The bytes of the file.
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
