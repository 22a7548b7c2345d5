// SPDX-License-Identifier: Apache-2.0

/// Memory for pixels that is freed when its owner goes away.
package final class PixelBuffer {
  /// The bytes, all zero at first.
  package let bytes: UnsafeMutableRawBufferPointer

  /// Takes memory.
  package init(count: Int) {
    bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }
}
