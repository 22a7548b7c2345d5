// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Bytes that pass through, of which a secret can be a part: they are overwritten when nobody refers to them any more.
///
/// An array's copies nobody could find again. What is to be kept belongs in ``SecretBytes``.
package final class WipedBytes: @unchecked Sendable {
  /// The memory. Sendable although it can be written: whoever makes one fills it before anybody else sees it.
  package let memory: UnsafeMutableRawBufferPointer

  /// Room for so many bytes, which are zero.
  package init(count: Int) {
    memory = .allocate(byteCount: count, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    Self.wipe(memory)
    memory.deallocate()
  }

  /// Overwrites memory, also where nobody reads it afterwards (explicit_bzero(3)).
  package static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    explicit_bzero(start, memory.count)
  }
}
