// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A secret that a user types. It is excluded from swap and core dumps where the kernel permits, and erased
/// when the value is destroyed.
///
/// The secret is never an array or string, because their copies could not be erased.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
  /// The maximum length in bytes.
  package static let capacity = 1024

  /// The size of the allocation. On a machine with larger pages, this is only a part of a page, and the
  /// kernel then refuses the advice.
  private static let pageSize = 4096

  /// A separate page, because the kernel applies advice to whole pages. `@unchecked Sendable`, because the
  /// value cannot be copied and only its owner can access the page.
  private let page: UnsafeMutableRawPointer
  /// The number of bytes.
  package private(set) var count = 0

  /// Creates an empty secret.
  package init() {
    page = .allocate(byteCount: Self.pageSize, alignment: Self.pageSize)
    page.initializeMemory(as: UInt8.self, repeating: 0, count: Self.pageSize)
    // Best effort: an unprivileged user may lock only a limited amount, and the secret is needed even if it
    // can be swapped out.
    _ = mlock(page, Self.pageSize)
    _ = madvise(page, Self.pageSize, MADV_DONTDUMP)
  }

  deinit {
    explicit_bzero(page, Self.pageSize)
    _ = madvise(page, Self.pageSize, MADV_DODUMP)
    _ = munlock(page, Self.pageSize)
    page.deallocate()
  }

  /// Appends a byte. Returns `false` without a change if the secret has its maximum length.
  package mutating func append(_ byte: UInt8) -> Bool {
    guard count < Self.capacity else { return false }
    page.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
    return true
  }

  /// Removes the last character, which may be several bytes of UTF-8.
  package mutating func removeLastCharacter() {
    while count > 0 {
      count -= 1
      let byte = page.load(fromByteOffset: count, as: UInt8.self)
      page.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
      if byte & 0xC0 != 0x80 { return }
    }
  }

  /// Removes and erases all bytes.
  package mutating func removeAll() {
    explicit_bzero(page, Self.pageSize)
    count = 0
  }

  /// Calls `body` with the bytes, which it must not copy.
  package borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: page, count: count))
  }

  /// Returns whether both secrets are equal. The time does not depend on the contents, only on the length.
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
