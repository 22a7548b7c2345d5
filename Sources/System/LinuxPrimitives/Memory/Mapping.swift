// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A file mapped into memory, which is unmapped with its owner (mmap(2)).
///
/// `@unchecked Sendable`, because the value is only an address range that stays valid. The protocol that uses
/// the mapping must coordinate reads and writes.
package struct Mapping: ~Copyable, @unchecked Sendable {
  /// The access to the mapped bytes.
  package enum Access: Sendable {
    /// The corresponding protection is `PROT_READ`.
    case read
    /// The corresponding protection is `PROT_READ | PROT_WRITE`.
    case readWrite
  }

  /// The mapped bytes.
  package let bytes: UnsafeMutableRawBufferPointer

  /// Maps the first `length` bytes of a file. The mapping is shared with all other mappings of the file.
  package init(_ descriptor: borrowing Descriptor, length: Int, _ access: Access) throws(SystemCallError) {
    let protection = access == .read ? PROT_READ : PROT_READ | PROT_WRITE
    guard let address = darkroom_map_shared(length, protection, descriptor.rawValue) else {
      throw SystemCallError("mmap")
    }
    bytes = UnsafeMutableRawBufferPointer(start: address, count: length)
  }

  /// Allocates the pages of a part of the mapping now, so that the first writer does not wait for each page.
  ///
  /// The corresponding advice is `MADV_POPULATE_WRITE` (madvise(2), Linux 5.14). An older kernel allocates
  /// each page on its first write, as it does if memory is short.
  package func populate(_ part: Range<Int>) {
    let start = part.lowerBound & ~(Self.pageSize - 1)
    guard let address = bytes.baseAddress?.advanced(by: start) else { return }
    _ = madvise(address, min(part.upperBound, bytes.count) - start, MADV_POPULATE_WRITE)
  }

  private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

  deinit { munmap(bytes.baseAddress, bytes.count) }
}
