// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Copies the pixels of a frame to another slot of the same size, whose planes can have other offsets and
/// strides.
func copyFrame(
  from source: UnsafeRawBufferPointer,
  _ sourceLayout: FrameRingGeometry,
  to target: UnsafeMutableRawBufferPointer,
  _ targetLayout: FrameRingGeometry
) {
  if sourceLayout.planes == targetLayout.planes && sourceLayout.isPacked {
    target.part(sourceLayout.pixels).copyMemory(from: source.part(sourceLayout.pixels))
    return
  }
  for (from, to) in zip(sourceLayout.planes, targetLayout.planes) {
    for row in 0..<from.rows {
      let old = from.offset + row * from.stride
      let new = to.offset + row * to.stride
      target.part(new..<(new + to.rowBytes)).copyMemory(from: source.part(old..<(old + from.rowBytes)))
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Returns a part of the buffer, with indices that start at 0.
  package func part(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: self[range])
  }
}

extension UnsafeRawBufferPointer {
  /// Returns a part of the buffer, with indices that start at 0.
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }
}
