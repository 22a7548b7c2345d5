// SPDX-License-Identifier: Apache-2.0

internal import CV4L2

/// A buffer of a device in this process's memory.
final class MappedBuffer {
  /// The bytes, valid as long as the mapping lives; also when the device is gone.
  let bytes: UnsafeMutableRawBufferPointer

  /// Maps one; nil: it cannot be.
  init?(_ descriptor: Int32, length: Int, offset: Int) {
    guard let address = darkroom_v4l2_map(descriptor, length, offset) else { return nil }
    bytes = UnsafeMutableRawBufferPointer(start: address, count: length)
  }

  deinit {
    if let address = bytes.baseAddress { darkroom_v4l2_unmap(address, bytes.count) }
  }
}

/// A buffer of a device with all of its planes.
struct PlaneBuffer {
  /// The planes; of most devices one.
  let planes: [MappedBuffer]
  /// Where the frame begins in each that it has now.
  var offsets: [Int] = []

  /// What the frame has in each plane.
  var frames: [UnsafeMutableRawBufferPointer] {
    planes.indices.map { index in
      let offset = offsets.isEmpty ? 0 : min(offsets[index], planes[index].bytes.count)
      return UnsafeMutableRawBufferPointer(rebasing: planes[index].bytes[offset...])
    }
  }
}
