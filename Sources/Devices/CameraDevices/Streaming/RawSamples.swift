// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives

extension ActiveCameraFormat {
  /// Copies the rows of a complete frame of a sensor with a Bayer filter.
  func copyRows(
    of frame: UnsafeMutableRawBufferPointer,
    to raw: RawPlane,
    in slot: UnsafeMutableRawBufferPointer
  ) {
    let rowBytes = width * raw.format.bytesPerSample
    let distance = max(stride, rowBytes)
    for row in 0..<height {
      let source = UnsafeRawBufferPointer(frame.part(row * distance..<row * distance + rowBytes))
      let start = raw.offset + row * raw.stride
      slot.part(start..<start + rowBytes).copyMemory(from: source)
    }
  }
}
