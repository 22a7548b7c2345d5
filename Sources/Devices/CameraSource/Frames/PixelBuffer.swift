// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Memory for pixels that is freed when its owner goes away.
package final class PixelBuffer {
  private let memory: ZeroedMemory

  /// The bytes, all zero at first.
  package var bytes: UnsafeMutableRawBufferPointer { memory.bytes }

  /// Takes memory.
  package init(count: Int) { memory = ZeroedMemory(count: count) }
}
