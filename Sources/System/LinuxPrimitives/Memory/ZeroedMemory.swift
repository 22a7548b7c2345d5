// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Memory that is zero at first, and freed when its owner goes away (calloc(3)).
///
/// What is large takes no time before it is touched: the kernel gives each page when it is, and that is zero already.
package struct ZeroedMemory: ~Copyable {
  /// The bytes.
  package let bytes: UnsafeMutableRawBufferPointer

  /// Takes memory. As with all memory of Swift, the process ends where there is none.
  package init(count: Int) {
    guard let start = calloc(max(1, count), 1) else { fatalError("there is no memory for \(count) bytes") }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  deinit { free(bytes.baseAddress) }
}
