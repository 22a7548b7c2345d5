// SPDX-License-Identifier: Apache-2.0

internal import CV4L2

/// A buffer of a device, mapped into this process.
final class MappedBuffer {
  /// The bytes. They are valid for the lifetime of the mapping, even after the device is removed.
  let bytes: UnsafeMutableRawBufferPointer

  /// Maps a buffer, or returns `nil` if that fails.
  init?(_ descriptor: Int32, length: Int, offset: Int) {
    guard let address = darkroom_v4l2_map(descriptor, length, offset) else { return nil }
    bytes = UnsafeMutableRawBufferPointer(start: address, count: length)
  }

  deinit {
    if let address = bytes.baseAddress { darkroom_v4l2_unmap(address, bytes.count) }
  }
}

/// A buffer of a device with all its planes.
struct PlaneBuffer {
  /// The planes; one for most devices.
  let planes: [MappedBuffer]
  /// The offset of the current frame in each plane.
  var offsets: [Int] = []

  /// The current frame's part of each plane.
  var framePlanes: [UnsafeMutableRawBufferPointer] {
    planes.indices.map { index in
      let offset = offsets.isEmpty ? 0 : min(offsets[index], planes[index].bytes.count)
      return UnsafeMutableRawBufferPointer(rebasing: planes[index].bytes[offset...])
    }
  }
}
