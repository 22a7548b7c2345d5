// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Memory for pixels, freed when its owner is deinitialized.
package final class PixelBuffer {
  private let memory: ZeroedMemory

  /// The bytes; initially zero.
  package var bytes: UnsafeMutableRawBufferPointer { memory.bytes }

  /// Allocates `count` bytes.
  package init(count: Int) { memory = ZeroedMemory(count: count) }
}
