// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A secret that a person types: kept out of swap and core dumps where the kernel allows it, and wiped at its end.
///
/// It is never an array or a string, whose copies nobody could find again.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
  /// The most bytes that it holds.
  package static let capacity = 1024

  /// What is taken, which on a machine with larger pages is only a part of one: the kernel then refuses the advice.
  private static let pageSize = 4096

  /// One page of its own, because the kernel's advice holds for whole pages. Sendable although it is a pointer: this
  /// value cannot be copied, so that only its one owner can reach the page.
  private let page: UnsafeMutableRawPointer
  /// How many bytes there are.
  package private(set) var count = 0

  /// No bytes yet.
  package init() {
    page = .allocate(byteCount: Self.pageSize, alignment: Self.pageSize)
    page.initializeMemory(as: UInt8.self, repeating: 0, count: Self.pageSize)
    // Best effort: an ordinary user may lock only so much, and a secret that can be swapped out is better than none.
    _ = mlock(page, Self.pageSize)
    _ = madvise(page, Self.pageSize, MADV_DONTDUMP)
  }

  deinit {
    explicit_bzero(page, Self.pageSize)
    _ = madvise(page, Self.pageSize, MADV_DODUMP)
    _ = munlock(page, Self.pageSize)
    page.deallocate()
  }

  /// Adds a byte; false, and nothing added, when there is no room.
  package mutating func append(_ byte: UInt8) -> Bool {
    guard count < Self.capacity else { return false }
    page.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
    return true
  }

  /// Takes the last character away, which may be several bytes of UTF-8.
  package mutating func removeLastCharacter() {
    while count > 0 {
      count -= 1
      let byte = page.load(fromByteOffset: count, as: UInt8.self)
      page.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
      if byte & 0xC0 != 0x80 { return }
    }
  }

  /// Takes everything away.
  package mutating func removeAll() {
    explicit_bzero(page, Self.pageSize)
    count = 0
  }

  /// Gives the bytes to look at, and to nobody else: do not copy them.
  package borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: page, count: count))
  }

  /// Whether both hold the same bytes; takes as long for any two of the same length.
  package borrowing func isSame(as other: borrowing SecretBytes) -> Bool {
    guard count == other.count else { return false }
    var difference: UInt8 = 0
    for index in 0..<count {
      difference |=
        page.load(fromByteOffset: index, as: UInt8.self)
        ^ other.page.load(fromByteOffset: index, as: UInt8.self)
    }
    return difference == 0
  }
}
