// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A file mapped into memory, unmapped when its owner goes away (mmap(2)).
///
/// It is Sendable because it is only an address range that stays valid; who reads and writes what is agreed by the
/// two sides of whatever protocol lives in it.
package struct Mapping: ~Copyable, @unchecked Sendable {
  /// What may be done with the bytes.
  package enum Access: Sendable {
    /// The corresponding protection is `PROT_READ`.
    case read
    /// The corresponding protection is `PROT_READ | PROT_WRITE`.
    case readWrite
  }

  /// The bytes.
  package let bytes: UnsafeMutableRawBufferPointer

  /// Maps the first `length` bytes of a file, shared with everybody who maps it.
  package init(_ descriptor: borrowing Descriptor, length: Int, _ access: Access) throws(SystemCallError) {
    let protection = access == .read ? PROT_READ : PROT_READ | PROT_WRITE
    guard let address = darkroom_map_shared(length, protection, descriptor.rawValue) else {
      throw SystemCallError("mmap")
    }
    bytes = UnsafeMutableRawBufferPointer(start: address, count: length)
  }

  /// Has the kernel give the pages of a part of the mapping now, which whoever writes there first would wait for, one after the other.
  ///
  /// The corresponding advice is `MADV_POPULATE_WRITE` (madvise(2), since Linux 5.14); an older kernel gives each page when it is
  /// written to, as it does where there is no memory.
  package func populate(_ part: Range<Int>) {
    let start = part.lowerBound & ~(Self.pageSize - 1)
    guard let address = bytes.baseAddress?.advanced(by: start) else { return }
    _ = madvise(address, min(part.upperBound, bytes.count) - start, MADV_POPULATE_WRITE)
  }

  private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

  deinit { munmap(bytes.baseAddress, bytes.count) }
}
