// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Searches for bytes with the vectorized functions of the C library.
package enum ByteSearch {
  /// Returns the index of the last occurrence of a byte before `end` (memrchr(3)), or `nil` if there is none.
  package static func last(_ byte: UInt8, in bytes: [UInt8], before end: Int) -> Int? {
    bytes.withUnsafeBytes { all in
      guard end > 0, let start = all.baseAddress, let found = memrchr(start, Int32(byte), end) else {
        return nil
      }
      return UnsafeRawPointer(found) - start
    }
  }

  /// Returns the index of the first occurrence of a byte from `begin` on (memchr(3)), or `nil` if there is
  /// none.
  package static func first(_ byte: UInt8, in bytes: [UInt8], from begin: Int) -> Int? {
    bytes.withUnsafeBytes { all in
      guard begin < all.count, let start = all.baseAddress,
        let found = memchr(start + begin, Int32(byte), all.count - begin)
      else { return nil }
      return UnsafeRawPointer(found) - start
    }
  }

  /// Returns the index of the first occurrence of a byte sequence from `begin` on (memmem(3)), or `nil` if
  /// there is none.
  package static func first(_ pattern: [UInt8], in bytes: [UInt8], from begin: Int = 0) -> Int? {
    bytes.withUnsafeBytes { all in
      pattern.withUnsafeBytes { sought in
        guard begin < all.count, let start = all.baseAddress, let wanted = sought.baseAddress,
          let found = memmem(start + begin, all.count - begin, wanted, sought.count)
        else { return nil }
        return UnsafeRawPointer(found) - start
      }
    }
  }
}
