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
