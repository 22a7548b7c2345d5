// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A buffer for data that may contain a secret. The buffer is erased when its last reference is released.
///
/// The copies of an array could not be erased. Use ``SecretBytes`` for secrets that are kept.
package final class WipedBytes: @unchecked Sendable {
  /// The memory. `@unchecked Sendable`, because the creator fills the memory before another thread can access
  /// it.
  package let memory: UnsafeMutableRawBufferPointer

  /// Creates a buffer of `count` zero bytes.
  package init(count: Int) {
    memory = .allocate(byteCount: count, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    Self.wipe(memory)
    memory.deallocate()
  }

  /// Erases memory, even if the memory is not read afterwards (explicit_bzero(3)).
  package static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    explicit_bzero(start, memory.count)
  }
}
