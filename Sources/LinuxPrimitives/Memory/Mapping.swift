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

  deinit { munmap(bytes.baseAddress, bytes.count) }
}
