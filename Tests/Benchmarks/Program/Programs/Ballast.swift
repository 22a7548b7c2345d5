// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Memory that enlarges this process: fork becomes slower with it.
final class Ballast {
  private static let bytes = 256 << 20
  private let memory: UnsafeMutableRawPointer?

  /// Allocates the memory and touches every page.
  init() {
    let address = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    memory = address == MAP_FAILED ? nil : address
    guard let memory else { return }
    // Huge pages would leave almost no page table entries to copy.
    madvise(memory, Self.bytes, MADV_NOHUGEPAGE)
    for offset in stride(from: 0, to: Self.bytes, by: 4096) {
      memory.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
    }
  }

  deinit { munmap(memory, Self.bytes) }
}
