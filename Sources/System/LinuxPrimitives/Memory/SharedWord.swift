// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A 64-bit word in memory that two processes share, with the memory orders that a seqlock needs.
///
/// The value is only an address: the creator must ensure that the mapping outlives it. The address must be a
/// multiple of 8.
package struct SharedWord: @unchecked Sendable {
  /// The address of the word. `@unchecked Sendable`, because every access is atomic.
  private let address: UnsafeMutablePointer<UInt64>

  /// Creates a reference to the word at `offset` in `bytes`. Traps if the word is out of bounds or
  /// misaligned.
  package init(in bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    precondition(
      offset >= 0 && offset % 8 == 0 && offset + 8 <= bytes.count,
      "the word is outside the memory or misaligned"
    )
    guard let base = bytes.baseAddress else { preconditionFailure("the memory has no address") }
    address = base.advanced(by: offset).assumingMemoryBound(to: UInt64.self)
  }

  /// Loads with acquire order: earlier stores of the writer are visible afterwards.
  package func load() -> UInt64 { darkroom_load_acquire(address) }

  /// Stores with release order: earlier stores are visible to a reader that loads this value.
  package func store(_ value: UInt64) { darkroom_store_release(address, value) }

  /// Loads after the data that the word protects was read: the second load of a seqlock reader.
  package func loadAfterData() -> UInt64 { darkroom_load_after_data(address) }

  /// Stores before the data that the word protects is written: the first store of a seqlock writer.
  package func storeBeforeData(_ value: UInt64) { darkroom_store_before_data(address, value) }
}
