// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Zero-initialized memory that is freed with its owner (calloc(3)).
///
/// A large allocation takes no time until it is used: the kernel provides each page, zeroed, on first access.
package struct ZeroedMemory: ~Copyable {
  /// The allocated bytes.
  package let bytes: UnsafeMutableRawBufferPointer

  /// Allocates memory. As with other Swift allocations, the process is terminated if memory is exhausted.
  package init(count: Int) {
    guard let start = calloc(max(1, count), 1) else { fatalError("cannot allocate \(count) bytes") }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  deinit { free(bytes.baseAddress) }
}
