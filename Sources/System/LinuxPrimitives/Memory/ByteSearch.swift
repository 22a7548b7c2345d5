// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Looks for bytes in bytes with the C library's own means, which look at many at a time.
package enum ByteSearch {
  /// Where a byte is last in what comes before `end` (memrchr(3)); nil if it is not there.
  package static func last(_ byte: UInt8, in bytes: [UInt8], before end: Int) -> Int? {
    bytes.withUnsafeBytes { all in
      guard end > 0, let start = all.baseAddress, let found = memrchr(start, Int32(byte), end) else {
        return nil
      }
      return UnsafeRawPointer(found) - start
    }
  }

  /// Where a byte is first from `begin` on (memchr(3)); nil if it is not there.
  package static func first(_ byte: UInt8, in bytes: [UInt8], from begin: Int) -> Int? {
    bytes.withUnsafeBytes { all in
      guard begin < all.count, let start = all.baseAddress,
        let found = memchr(start + begin, Int32(byte), all.count - begin)
      else { return nil }
      return UnsafeRawPointer(found) - start
    }
  }

  /// Where some bytes are first from `begin` on (memmem(3)); nil if they are not there.
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
