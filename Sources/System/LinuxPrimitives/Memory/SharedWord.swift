// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A 64-bit number in memory that two processes share, with the orders that a seqlock needs.
///
/// It is only an address: who makes one vouches that the mapping outlives it. It has to be a multiple of 8.
package struct SharedWord: @unchecked Sendable {
  /// Where the number is; every access to it is atomic, which makes the value safe to send.
  private let address: UnsafeMutablePointer<UInt64>

  /// The number at `offset` in `bytes`; traps if it is outside or not aligned.
  package init(in bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    precondition(offset >= 0 && offset % 8 == 0 && offset + 8 <= bytes.count, "a word outside its memory")
    guard let base = bytes.baseAddress else { preconditionFailure("a word in no memory") }
    address = base.advanced(by: offset).assumingMemoryBound(to: UInt64.self)
  }

  /// Loads with acquire order: what its writer stored before is visible afterwards.
  package func load() -> UInt64 { darkroom_load_acquire(address) }

  /// Stores with release order: what was stored before is visible to whoever loads this value.
  package func store(_ value: UInt64) { darkroom_store_release(address, value) }

  /// Loads after the data that the word guards was read: the second look of a seqlock's reader.
  package func loadAfterData() -> UInt64 { darkroom_load_after_data(address) }

  /// Stores before the data that the word guards is written: the first mark of a seqlock's writer.
  package func storeBeforeData(_ value: UInt64) { darkroom_store_before_data(address, value) }
}
